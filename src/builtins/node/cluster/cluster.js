// node:cluster -- several processes that share servers (Node: cluster). What a worker is made of is
// in internal/cluster, as is what the primary does.
const isWorker = Object.hasOwn(process.env, "NODE_UNIQUE_ID");
const { Cluster } = require("internal/cluster");
const cluster = new Cluster(isWorker);
if (isWorker) cluster._setupWorker();
return cluster;
