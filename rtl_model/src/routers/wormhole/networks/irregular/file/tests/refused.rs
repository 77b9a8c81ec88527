//! What no file can have, and how it is refused.

use super::*;
use crate::csv_file::shown;

/// Each text and what is said of it.
fn are_refused<T: std::fmt::Debug>(
    read: impl Fn(&str) -> Result<T, Error>,
    refused: &[(&str, &str)],
) {
    for (text, said) in refused {
        let found = read(text).unwrap_err().to_string();
        assert_eq!(found, *said, "{}", shown(text));
    }
}

#[test]
fn rows_that_are_no_links_are_refused_with_their_place() {
    are_refused(
        network,
        &[
            (
                "",
                "net.txt, line 1, column 1: the file is empty: the first line must be `from,to`, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                " \n\n",
                "net.txt, line 1, column 1: the file is empty: the first line must be `from,to`, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                "0,1\n1,0\n",
                "net.txt, line 1, column 1: the header has no column `from`: the first line must be `from,to`, in lower case, with a comma between, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                "\nfrom;to\n0;1\n",
                "net.txt, line 2, column 1: the header has no column `from`: the first line must be `from,to`, in lower case, with a comma between, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                "from\n0\n",
                "net.txt, line 1, column 1: the header has no column `to`: the first line must be `from,to`, in lower case, with a comma between, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                "from,to,both\n0,1,1\n",
                "net.txt, line 1, column 9: the heading `both` means nothing here: the first line must be `from,to`, in lower case, with a comma between, or as BookSim's `router 0 node 0 router 1`",
            ),
            (
                "from,to,to\n0,1,1\n",
                "net.txt, line 1, column 9: the heading `to` stands twice: leave one of the two columns out",
            ),
            (
                "from,to\n",
                "net.txt, line 1, column 1: no link stands below the header",
            ),
            (
                "from,to\n0,1\n1\n",
                "net.txt, line 3, column 1: fields in this line: 1; columns in the header: 2",
            ),
            (
                "from,to\n0,1,\n",
                "net.txt, line 2, column 1: fields in this line: 3; columns in the header: 2",
            ),
            (
                "from,to\n0, x\n",
                "net.txt, line 2, column 4: `x` is not a node number: write it in decimal, without a sign",
            ),
            (
                "from,to\n-1,0\n",
                "net.txt, line 2, column 1: `-1` is not a node number: write it in decimal, without a sign",
            ),
            (
                "from,to\n0,\n",
                "net.txt, line 2, column 3: `` is not a node number: write it in decimal, without a sign",
            ),
            (
                "from,to\n0,1024\n",
                "net.txt, line 2, column 3: node 1024 is out of range: choose 0 to 1023, since a network has 1024 nodes at the most",
            ),
            (
                "from,to\n99999999999999999999999,1\n",
                "net.txt, line 2, column 1: node 99999999999999999999999 is out of range: choose 0 to 1023, since a network has 1024 nodes at the most",
            ),
            (
                "from,to\n0,1\n2,2\n",
                "net.txt, line 3, column 3: the link leads from node 2 to itself: leave it out",
            ),
            (
                "to,from\n1,0\n0,1\n\n1,0\n",
                "net.txt, line 5, column 3: link 0 -> 1 already stands in line 2: leave one of the two out: a row is a link one way",
            ),
            (
                "from,to\n0,\"1\n",
                "net.txt, line 2, column 3: a quote in this line is not closed: a field ends with its line",
            ),
        ],
    );
    let star = |row: fn(usize) -> String| -> String {
        let rows: String = (1..=65).map(row).collect();
        format!("from,to\n{rows}")
    };
    let (out, into) = (
        star(|node| format!("0,{node}\n")),
        star(|node| format!("{node},0\n")),
    );
    are_refused(
        network,
        &[
            (
                &out,
                "net.txt, line 66, column 1: more than 64 links leave node 0: 64 is the most",
            ),
            (
                &into,
                "net.txt, line 66, column 4: more than 64 links come to node 0: 64 is the most",
            ),
        ],
    );
}

#[test]
fn lines_that_are_none_of_booksim_are_refused_with_their_place() {
    are_refused(
        network,
        &[
            (
                "router 0 node 0\n1 router 1\n",
                "net.txt, line 2, column 1: `1` stands where there must be `router` or `node`: write a line as in `router 0 node 0 router 1`",
            ),
            (
                "router 0 node 0 1 1\n",
                "net.txt, line 1, column 19: `1` stands where there must be `router` or `node`: write a line as in `router 0 node 0 router 1`",
            ),
            (
                "router 0 5 node 0\n",
                "net.txt, line 1, column 10: `5` stands where there must be `router` or `node`: write a line as in `router 0 node 0 router 1`",
            ),
            (
                "router 0 node 0 \tRouter 1\n",
                "net.txt, line 1, column 18: `Router` stands where there must be `router` or `node`: write a line as in `router 0 node 0 router 1`",
            ),
            (
                "router 0 node 0 é 1\n",
                "net.txt, line 1, column 17: `é` stands where there must be `router` or `node`: write a line as in `router 0 node 0 router 1`",
            ),
            (
                "router 0 node 0 router\n",
                "net.txt, line 1, column 17: the line ends where the number of a router must stand",
            ),
            (
                "node\n",
                "net.txt, line 1, column 1: the line ends where the number of a node must stand",
            ),
            (
                "router node 0\n",
                "net.txt, line 1, column 8: `node` is not the number of a router: write it in decimal, without a sign",
            ),
            (
                "router 0 node -1\n",
                "net.txt, line 1, column 15: `-1` is not the number of a node: write it in decimal, without a sign",
            ),
            (
                "router 0 node 0 router 1.0\n",
                "net.txt, line 1, column 24: `1.0` is not the number of a router: write it in decimal, without a sign",
            ),
            (
                "router 0 node 1024\n",
                "net.txt, line 1, column 15: node 1024 is out of range: choose 0 to 1023, since a network has 1024 nodes at the most",
            ),
            (
                "router 18446744073709551616 node 0\n",
                "net.txt, line 1, column 8: router 18446744073709551616 is out of range: choose 0 to 18446744073709551615",
            ),
            (
                "router 0 node 0 router 1 15\n",
                "net.txt, line 1, column 26: the latency is 15, and all links here take one bit time: leave the latency out",
            ),
            (
                "router 0 node 0 0\n",
                "net.txt, line 1, column 17: the latency is 0, and all links here take one bit time: leave the latency out",
            ),
            (
                "router 0 node 0\n\nrouter 1\n",
                "net.txt, line 3, column 1: nothing is connected to router 1 in this line: say what is, as in `router 0 node 0 router 1`, or leave the line out",
            ),
            (
                "node 0 router 0\nnode 1 node 0\n",
                "net.txt, line 2, column 8: node 1 is connected to node 0: connect nodes to routers alone",
            ),
            (
                "router 0 node 0 router 0\n",
                "net.txt, line 1, column 17: router 0 is connected to itself: leave that out",
            ),
            (
                "router 0 node 0\nrouter 1 node 0\n",
                "net.txt, line 2, column 10: node 0 is at router 0 already (line 1): a node is at one router",
            ),
            (
                "node 0 router 0 router 1\n",
                "net.txt, line 1, column 17: node 0 is at router 0 already (line 1): a node is at one router",
            ),
            (
                "router 0 router 1\nrouter 0 node 0 node 1\n",
                "net.txt, line 2, column 17: router 0 has node 0 already (line 2): each router has exactly one node here",
            ),
            (
                "router 0 node 0\nrouter 0 router 6\n",
                "net.txt, line 2, column 10: router 6 has no node: each router has exactly one node here",
            ),
            (
                "router 0 node 0 router 1 router 2\nrouter 1 node 1\nrouter 2 node 3\n",
                "net.txt, line 3, column 10: there is a node 3 and no node 2: number the 3 nodes from 0 to 2, since traffic goes by these numbers",
            ),
            (
                "router 5 node 0",
                "net.txt: a network of 1 nodes is out of range: choose 2 to 1024",
            ),
            (
                "router 5 node 0\nnode 1 router 1",
                "net.txt: a network without links",
            ),
        ],
    );
    let star: String = (1..=65).map(|other| format!(" router {other}")).collect();
    let apart: String = (0..=512)
        .map(|pair| format!("router {} router {}\n", 2 * pair, 2 * pair + 1))
        .collect();
    are_refused(
        network,
        &[
            (
                &format!("router 0{star}"),
                "net.txt, line 1, column 641: router 0 has more than 64 links: 64 is the most",
            ),
            (
                &apart,
                "net.txt, line 513, column 1: router 1024 is one more than there may be: 1024 is the most",
            ),
        ],
    );
}

#[test]
fn what_are_no_routes_is_refused_with_its_place() {
    are_refused(
        routes,
        &[
            (
                "",
                "routes.csv, line 1, column 1: the file is empty: the first line must be `node,destination,next` or `node,destination,next,class`, in lower case, with commas between",
            ),
            (
                "node,destination\n",
                "routes.csv, line 1, column 1: the header has no column `next`: the first line must be `node,destination,next` or `node,destination,next,class`, in lower case, with commas between",
            ),
            (
                "node,destination,next,colour\n",
                "routes.csv, line 1, column 23: the heading `colour` means nothing here: the first line must be `node,destination,next` or `node,destination,next,class`, in lower case, with commas between",
            ),
            (
                "node,destination,next\n",
                "routes.csv, line 1, column 1: node 0 has no route to node 1: each node needs one to each other",
            ),
            (
                "node,destination,next\n0,1,1\n\n0,2,1\n",
                "routes.csv, line 4, column 1: node 0 has no route to node 3: each node needs one to each other",
            ),
            (
                "node,destination,next\n0,1\n",
                "routes.csv, line 2, column 1: fields in this line: 2; columns in the header: 3",
            ),
            (
                "node,destination,next\n4,1,1\n",
                "routes.csv, line 2, column 1: node 4 is out of range: the network has nodes 0 to 3",
            ),
            (
                "node,destination,next\n0,77777777777777777777777,1\n",
                "routes.csv, line 2, column 3: node 77777777777777777777777 is out of range: the network has nodes 0 to 3",
            ),
            (
                "node,destination,next\n0,1,four\n",
                "routes.csv, line 2, column 5: `four` is not a node number: write it in decimal, without a sign",
            ),
            (
                "node,destination,next\n0,2,2\n",
                "routes.csv, line 2, column 5: no link leads from node 0 to node 2: its links lead to 1, 3",
            ),
            (
                "next,node,destination\n1,0,0\n",
                "routes.csv, line 2, column 5: node 0 has a route to itself, where worms go to the host: leave it out",
            ),
            (
                "node,destination,next\n0,1,1\n0,1,3\n",
                "routes.csv, line 3, column 1: the route from node 0 to node 1 already stands in line 2: leave one of the two out",
            ),
            (
                "class,node,destination,next\n8,0,1,1\n",
                "routes.csv, line 2, column 1: class 8 is out of range: choose 0 to 7, since a link has 8 virtual channels at the most",
            ),
            (
                "node,destination,next,class\n0,1,1,a\n",
                "routes.csv, line 2, column 7: `a` is not a class: write its number in decimal, without a sign",
            ),
            (
                "node,destination,next\n0,1,1\n0,2,1\n0,3,1\n1,0,0\n1,2,2\n1,3,0\n2,0,1\n2,1,1\n2,3,3\n3,0,0\n3,1,2\n3,2,2\n",
                "routes.csv, line 4, column 1: the routes to node 3 lead in a circle, 0 -> 1 -> 0: let one of these nodes go on to another",
            ),
        ],
    );
    let apart = network("from,to\n0,1\n1,0\n2,3\n3,2\n").unwrap();
    let read = |text: &str| read_routes("routes.csv", text.as_bytes(), &apart);
    are_refused(
        read,
        &[(
            "node,destination,next\n0,1,1\n",
            "routes.csv: node 0 cannot reach node 2: no path of links leads there: add links, or make a network of each part",
        )],
    );
}

#[test]
fn files_without_an_end_are_refused() {
    let endless = |byte| read_network("net.txt", std::io::repeat(byte)).unwrap_err();
    assert_eq!(
        endless(b'r').to_string(),
        "net.txt, line 1, column 1: the line is longer than 131072 bytes: no row of such a file is"
    );
    assert_eq!(
        endless(b'\n').to_string(),
        "net.txt, line 1048577, column 1: there are more than 1048576 blank lines here, one after the other: what they are for \
         cannot be told"
    );
}
