// node:cluster -- what a program that is not clustered sees (Node: cluster); fork() is not there
// yet.
const EventEmitter = require("node:events");

const cluster = new EventEmitter();
Object.assign(cluster, {
  isWorker: false,
  isMaster: true,
  isPrimary: true,
  workers: {},
  settings: {},
  SCHED_NONE: 1,
  SCHED_RR: 2,
  schedulingPolicy: 2,
});
require("internal/unavailable").define(cluster, "cluster", [
  "Worker", "setupPrimary", "setupMaster", "fork", "disconnect",
]);
return cluster;
