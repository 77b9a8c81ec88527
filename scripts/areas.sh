# Which tests concern an area. `tests_of AREA` sets `packages` (arguments of cargo test) and `words`, one of which is in the name of
# each such test (none: all of the packages); it fails if there is no such area. Tests over the list of testbenches name no family:
# with each, the exported Verilog of all of them is held beside their runs.
tests_of() {
  local of_families=(-p cubewave-rtl-model -p cubewave-hosts -p cubewave-reference-models -p cubewave --tests
    --features cubewave/external_tools)
  words=()
  case "$1" in
    rtl_model | hosts | reference_models | waves) packages=(-p "cubewave-${1//_/-}" --tests --all-features) ;;
    testbenches) packages=(-p cubewave --tests --all-features) ;;
    own_router) packages=(-p own_router --tests --all-features) ;;
    tools) packages=(-p cubewave -p cubewave-waves -p own_router --all-features --test tools --test picture_in_a_browser --test own_router) ;;
    ranks) packages=(-p cubewave --all-features --test ranks) ;;
    wormhole) packages=("${of_families[@]}") words=(wormhole suite::agreement) ;;
    kuszmaul) packages=("${of_families[@]}") words=(kuszmaul plain overlapped folded spread radix4 scoreboard whereabouts suite::agreement) ;;
    sorting) packages=("${of_families[@]}") words=(sorting bitonic radix_sort suite::agreement) ;;
    relations) packages=("${of_families[@]}") words=(relations batches counting several suite::agreement) ;;
    broadcast) packages=("${of_families[@]}") words=(ports broadcast suite::agreement) ;;
    embeddings) packages=("${of_families[@]}") words=(embedding phase dispersal suite::agreement) ;;
    collectives | reduced_hypercube | enumeration | packing) packages=("${of_families[@]}") words=("$1" suite::agreement) ;;
    *) return 1 ;;
  esac
}
