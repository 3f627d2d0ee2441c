#!/bin/sh
# Opens the board in the browser. Close this window to end it.
exec "$(dirname "$0")/monomi" app
