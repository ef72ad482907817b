#!/bin/sh
# Measures the Move VM of @initia/builder.js with the same Move sources as our own benches.
# usage: ./run.sh [workload filter]      tables: stdout; raw figures: $PEER_DIR/vm.tsv
#   PEER_DIR       scratch directory (default: a directory under $TMPDIR)
#   PEER_MODULES   a node_modules that holds the package already (else npm installs it)
# The package's VM library is not open source: measure with it, ship nothing of it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
moves=$here/../../../native/crates/vm/tests/move
dir=${PEER_DIR:-${TMPDIR:-/tmp}/peer-movevm}
version=0.2.12
mkdir -p "$dir"
if [ -z "${PEER_MODULES:-}" ]; then
  PEER_MODULES=$dir/node_modules
  [ -d "$PEER_MODULES/@initia/builder.js" ] ||
    (cd "$dir" && npm install --no-audit --no-fund --silent "@initia/builder.js@$version")
fi
export NODE_PATH=$PEER_MODULES
# a captured backtrace for every error the VM makes would be measured too
unset RUST_BACKTRACE RUST_LIB_BACKTRACE || true
lib=$PEER_MODULES/@initia/builder.js/library

rm -rf "$dir/m" && cp -r "$moves" "$dir/m"
node "$here/gen.cjs" "$dir/m"
for package in std bench big many; do
  node "$here/build.cjs" "$dir/m/$package" 2>/dev/null | tail -1
done
rustc -O --edition 2021 "$here/main.rs" -o "$dir/harness" \
  -L "$lib" -l dylib=movevm.x86_64 -C "link-args=-Wl,-rpath,$lib"
b=bytecode_modules
"$dir/harness" "$dir/m/std/build/ministd/$b" "$dir/m/bench/build/bench/$b" \
  "$dir/m/big/build/big/$b" "$dir/m/many/build/many/$b" "$dir/vm.tsv" ${1:+"$1"}
