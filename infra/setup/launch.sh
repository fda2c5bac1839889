#!/bin/sh
# Starts a process of the fleet with the memory settings of its kind: launch.sh <command> [argument ...]
# LAUNCH_ENTRY runs another file with them; for measurements.
set -eu
cd "$(dirname "$0")/../.."

# Freed memory goes back to the system, and threads share one pool: half the resident size of a process that was busy once.
export MALLOC_TRIM_THRESHOLD_=131072 MALLOC_ARENA_MAX=2
# A warm start takes a third of the time.
export NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-node_modules/.cache/flotilla}"

case "${1:-}" in
  # An executor holds a thousand open answers; with less room they would be moved to the old space and collected there. One helping
  # thread: where the cores are at work, more of them wait for each other.
  all | executor | router) memory="--max-semi-space-size=32 --initial-old-space-size=64 --v8-pool-size=1" ;;
  # A channel's messages are small and soon gone: a small nursery costs it no time and saves 40 MB. Told that it may not have gigabytes,
  # the collector lets garbage pile up less. One optimising compiler instead of two, and one pool of memory for all threads, save 10 MB.
  # One helping thread: with four, handing the work out costs more than it saves.
  *)
    memory="--max-semi-space-size=4 --initial-old-space-size=16 --max-old-space-size=512 --no-maglev --v8-pool-size=1"
    export MALLOC_ARENA_MAX=1
    ;;
esac

# Settings may lie in a file; what the environment says goes first.
settings=
if [ -f .env ]; then
  settings=--env-file=.env
  # With a byte order mark, or in UTF-16, as Windows writes it: Node would not know the first name, or none.
  case "$(od -An -tx1 -N3 .env | tr -d ' \n')" in
    efbbbf | fffe* | feff* | ??00*)
      text="$(node infra/setup/settings-file.js)"
      exec 3<<END
$text
END
      settings=--env-file=/dev/fd/3
      ;;
  esac
fi

exec node $settings $memory "${LAUNCH_ENTRY:-infra/cli.ts}" "$@"
