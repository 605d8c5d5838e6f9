exec $COB check.mjs
