//! What is written where: standard output and standard error by all their names, files that are replaced, views that somebody
//! edited. Nothing is lost without a word. And what is read, whatever it holds.

mod clock;
mod folder;
mod hostile_files;
mod idle;
mod kept;
mod relations;
mod signals;
mod streams;
mod surroundings;
mod works;

const KUSZMAUL: &str = "run kuszmaul --dims 3 --payload-bits 4";
const WORMS: &str = "run wormhole --dims 2 --virtual-channels 1 --load 0.5 --message-bits 8";
