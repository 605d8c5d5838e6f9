#!/bin/sh
# The first line is no command.
echo "$#" "$1" "$2"
cd /
pwd
false
