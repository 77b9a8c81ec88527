// The way of a message in words: from node to node, where it waits, and everything that it does.

/// With more parts the first ones are told, or with more copies.
const MOST_PARTS = 12;
const MOST_COPIES = 4;
/// A message that lies still for so many bit times waits.
const LEAST_WAIT = 6;
/// A piece whose head gets no further for so many bit times is held.
const LEAST_HELD = 24;

/// Of wires on which it takes turns so many are told.
const MOST_TURNS = 2;

/// What has been worked out of each route.
const known = new Map();
const knownParts = new Map();

/// Crossings of one wire with at most a bit time between are told as one; in the order in which they begin.
function hopsOf(route) {
  if (known.has(route)) return known.get(route);
  const hops = [];
  for (const [sender, receiver, from, to] of route.crossings) {
    const last = hops.findLast((one) => one.sender === sender && one.receiver === receiver);
    if (last && from <= last.to + 1) {
      last.to = to;
      last.bitTimes += to - from;
    } else {
      hops.push({ sender, receiver, from, to, bitTimes: to - from });
    }
  }
  hops.sort((one, other) => one.from - other.from);
  known.set(route, hops);
  return hops;
}

/// The ways of its parts, each from where the message begins. A part goes on from where one has come to; what goes another way from
/// there has come the same way until there; and what comes to where others have gone on goes with them.
function waysOf(hops) {
  const ways = [];
  const isNext = (hop) => (last) => last.receiver === hop.sender && last.from <= hop.from;
  for (const hop of hops) {
    const before = ways.findLast((way) => isNext(hop)(way.at(-1)));
    if (before) {
      before.push(hop);
      continue;
    }
    const common = ways.findLast((way) => way.some(isNext(hop))) ?? [];
    ways.push([...common.slice(0, common.findLastIndex(isNext(hop)) + 1), hop]);
  }
  return ways.map((way) => {
    const after = (hop) => isNext(hop)(way.at(-1));
    const other = ways.find((one) => one !== way && one.some(after));
    return other ? [...way, ...other.slice(other.findIndex(after))] : way;
  });
}

/// Whether parts of it go different ways.
const areParts = (route) => route.ways?.length > 1;

/// The part that the waveform follows, by its place among the ways; else the first.
function followedPart(route) {
  if (!areParts(route) || route !== scene.routes[scene.shown]) return 0;
  const row = scene.waves?.rows.find(({ path }) => path === "followed.message");
  const piece = row ? `${/\/\d+$/.exec(saidAt(row, 0).split(" ")[0])?.[0]},` : "";
  return Math.max(route.ways.findIndex(([part]) => part.startsWith(piece)), 0);
}

/// The hops of each part, in order.
function hopsOfParts(route) {
  if (knownParts.has(route)) return knownParts.get(route);
  const inTime = (one, other) => one.from - other.from;
  const parts = route.ways.map(([, , crossings]) => crossings.map(([sender, receiver, from, to]) => ({ sender, receiver, from, to })).sort(inTime));
  knownParts.set(route, parts);
  return parts;
}

/// Which part crosses a wire in a hop, by its place among the ways: of several the first.
function partsOf(route) {
  if (!areParts(route)) return () => followedPart(route);
  const all = hopsOfParts(route);
  const crosses = (hop) => (one) => one.sender === hop.sender && one.receiver === hop.receiver && one.from < hop.to && hop.from < one.to;
  return (hop) => Math.max(all.findIndex((hops) => hops.some(crosses(hop))), 0);
}

/// Where it goes: in a line, and with relays between the nodes in another, or in a line a part.
function wayOf(route) {
  const hops = hopsOf(route);
  if (!hops.length) return [];
  const line = (nodes) => nodes.map(nameOf).join(" → ");
  // Of a way over relays each hop is told with those between its ends.
  const relayed = route.ways?.length === 1 ? hops.map((hop) => nodesOfHop(route, [hop.sender, hop.receiver])) : [];
  const parts = relayed.length
    ? [`${route.ways[0][0]}: ${relayed.map((nodes) => [`${nameOf(nodes[0])} → ${nameOf(nodes.at(-1))}`, ...(nodes.length > 2 ? ["by", ...nodes.slice(1, -1).map(nameOf)] : [])].join(" ")).join(", ")}`]
    : (route.ways ?? []).map(([part, nodes]) => `${part}: ${line(nodes)}`);
  // Where nothing tells its parts apart, several may go the same way, one after the other.
  const ways = parts.length > 1 ? parts : [...new Set(waysOf(hops).map((way) => line([way[0].sender, ...way.map(({ receiver }) => receiver)])))];
  const most = parts.length > 1 ? MOST_PARTS : MOST_COPIES;
  const told = ways.slice(0, most);
  if (ways.length > most) told.push(`${ways.length - most} more`);
  const end = Math.max(...hops.map(({ to }) => to));
  const last = nameOf(hops.at(-1).receiver);
  const goal = /->([^\s/]+)(\/\d+)?$/.exec(route.name)?.[1];
  const isStuck = scene.circle && ways.length === 1 && last !== goal;
  const first = hops[0].from;
  // Of several parts, and of packets one behind the other, each comes at another time.
  const isOne = ways.length === 1 && waysOf(hops)[0].length === hops.length;
  const times = isStuck
    ? `it leaves in bit time ${first}, is at ${last} from ${end} on and never gets to ${goal}`
    : isOne && hops.length > 1
      ? `it leaves in bit time ${first}, begins to cross its last wire in ${hops.at(-1).from} and has crossed it in ${end - 1}`
      : `it leaves in bit time ${first} and crosses its last wire in ${end - 1}`;
  const head = parts.length > 1 ? `in ${ways.length} parts` : `on ${ways.length} ways`;
  return ways.length > 1 ? [`${fullName(route)}, ${head}: ${times}`, ...told] : [`${fullName(route)}: ${told[0]}`, ...parts, times];
}

/// Its name, with what the waveform says of the way that was chosen for it: `7->31 via 40`.
function fullName(route) {
  const row = scene.waves?.rows.find(({ path }) => path === "followed.message");
  if (route !== scene.routes[scene.shown] || !row) return route.name;
  const said = saidAt(row, 0).split("  ")[0];
  return said.startsWith(`${route.name} via `) ? said : route.name;
}

/// Where pieces that the waveform does not follow are held for long, each once.
function heldOf(route) {
  if (!areParts(route)) return [];
  return hopsOfParts(route).flatMap((hops, place) => {
    if (place === followedPart(route)) return [];
    const [piece] = route.ways[place][0].split(",");
    const gaps = hops.slice(1).map((hop, at) => ({ node: hop.sender, from: hops[at].from + 1, to: hop.from - 1 }));
    return gaps.filter(({ from, to }) => to - from >= LEAST_HELD).map(({ node, from, to }) => `${piece} is held at ${nameOf(node)}, ${from} to ${to}`);
  });
}

/// Where the parts of a message wait for long, each once: of the first ones.
function waitsOfParts(route) {
  return hopsOfParts(route).slice(0, MOST_COPIES).flatMap((hops, part) => {
    // From when all that came before has come, and what left before has left.
    const gaps = hops.slice(1).map((hop, at) => {
      const before = hops.slice(0, at + 1).filter(({ sender, receiver }) => receiver === hop.sender || sender === hop.sender);
      return { node: hop.sender, from: Math.max(...before.map(({ to }) => to)), to: hop.from - 1 };
    });
    const waits = gaps.filter(({ from, to }) => to - from >= LEAST_WAIT).map(({ node, from, to }) => `at ${nameOf(node)} ${from} to ${to}`);
    return waits.length ? [`${route.ways[part][0]} waits ${waits.join(", ")}`] : [];
  });
}

/// Where it waits, and for whom if a waveform says it: in bit times, as sentences.
function waitsOf(route) {
  const followed = (name) => scene.waves?.rows.find(({ path }) => path === `followed.${name}`);
  const does = route === scene.routes[scene.shown] && followed("does");
  if (does) {
    // Of a message in pieces one piece is followed.
    const piece = areParts(route) ? `${saidAt(followed("message"), 0).split(" ")[0]} ` : "";
    const until = (place) => (does.times[place + 1] ?? scene.bins.bit_times) - 1;
    const told = does.times.map((from, place) => [from, until(place), saidAt(does, place)]);
    const own = told.filter(([, , words]) => words.startsWith("waits")).map(([from, to, words]) => `${piece}${words}, ${from} to ${to}`);
    return [...own, ...heldOf(route)];
  }
  if (areParts(route)) return waitsOfParts(route);
  const ways = waysOf(hopsOf(route));
  // Of copies each would wait somewhere else.
  if (ways.length !== 1) return [];
  const waits = ways[0].flatMap((hop, place) => {
    const before = ways[0][place - 1];
    const from = before ? before.to : route.stays.findLast(([node, begin]) => node === hop.sender && begin <= hop.from)?.[1];
    return hop.from - from >= LEAST_WAIT ? [`at ${nameOf(hop.sender)} ${from} to ${hop.from - 1}`] : [];
  });
  return waits.length ? [`waits ${waits.join(", ")}`] : [];
}

/// Wires on which it takes turns with others, as the nodes tell that have waveforms: a sentence each, of the first ones.
function turnsOf(route) {
  // Of pieces each would take turns somewhere else.
  if (!scene.waves || areParts(route)) return [];
  return scene.waves.rows.flatMap(({ path, times, values }) => {
    const [, node, link] = /^node_([^.]+)\.([^.]+)\.tx_worm$/.exec(path) ?? [];
    if (link === undefined) return [];
    const spans = times.map((from, place) => [from, times[place + 1] ?? scene.bins.bit_times]).filter((_, place) => isSelected(values[place]));
    const own = spans.reduce((sum, [from, to]) => sum + to - from, 0);
    const all = spans.length ? spans.at(-1)[1] - spans[0][0] : 0;
    return 4 * own < 3 * all ? [`takes turns with others on ${link} of ${node}: has it in ${own} of ${all} bit times`] : [];
  }).slice(0, MOST_TURNS);
}

/// Everything that it does, in the order of bit times.
function routeOf(route) {
  const when = (from, to) => (to - from < 2 ? `${from}` : `${from} to ${to - 1}`);
  const parts = [
    ...route.stays.map(([node, from, to]) => [from, 0, `at ${nameOf(node)} in ${when(from, to)}`]),
    ...hopsOf(route).map(({ sender, receiver, from, to, bitTimes }) => {
      const some = bitTimes === to - from ? "" : `, ${bitTimes} of them`;
      return [from, 1, `from ${nameOf(sender)} to ${nameOf(receiver)} in ${when(from, to)}${some}`];
    }),
  ];
  parts.sort((one, other) => one[0] - other[0] || one[1] - other[1]);
  const words = parts.map(([, , words]) => words).join(", ");
  return words ? `${route.name}, by bit times: ${words}` : `${route.name}: it is nowhere`;
}

/// When it crosses its first wire, and when it has crossed the last; nothing of one that stays where it is.
function journeyOf(route) {
  const hops = route ? hopsOf(route) : [];
  return hops.length ? { from: hops[0].from, to: Math.max(...hops.map(({ to }) => to)) } : null;
}
