# For workerd, which runs worker.mjs: one Durable Object for each stream, in the folder that --directory-path=disk=FOLDER
# names. TOKEN, HEARTBEAT_MS, STALL_MS and ALLOW_HOST are read from the environment.

using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "server", worker = .server),
    (name = "disk", disk = (writable = true)),
  ],
  sockets = [(name = "http", address = "127.0.0.1:8080", http = (), service = "server")],
);

const server :Workerd.Worker = (
  modules = [
    (name = "workerd/worker.mjs", esModule = embed "worker.mjs"),
    (name = "workerd/connection.mjs", esModule = embed "connection.mjs"),
    (name = "workerd/sqlite.mjs", esModule = embed "sqlite.mjs"),
    (name = "body.mjs", esModule = embed "../body.mjs"),
    (name = "chunks.mjs", esModule = embed "../chunks.mjs"),
    (name = "control.mjs", esModule = embed "../control.mjs"),
    (name = "counting.mjs", esModule = embed "../counting.mjs"),
    (name = "credential.mjs", esModule = embed "../credential.mjs"),
    (name = "entry.mjs", esModule = embed "../entry.mjs"),
    (name = "messages.mjs", esModule = embed "../messages.mjs"),
    (name = "origin.mjs", esModule = embed "../origin.mjs"),
    (name = "patch.mjs", esModule = embed "../patch.mjs"),
    (name = "protocol.mjs", esModule = embed "../protocol.mjs"),
    (name = "read.mjs", esModule = embed "../read.mjs"),
    (name = "reader.mjs", esModule = embed "../reader.mjs"),
    (name = "refusal.mjs", esModule = embed "../refusal.mjs"),
    (name = "snapshot.mjs", esModule = embed "../snapshot.mjs"),
    (name = "stream.mjs", esModule = embed "../stream.mjs"),
  ],
  compatibilityDate = "2026-11-17",
  bindings = [
    (name = "STREAMS", durableObjectNamespace = "StreamObject"),
    (name = "TOKEN", fromEnvironment = "TOKEN"),
    (name = "HEARTBEAT_MS", fromEnvironment = "HEARTBEAT_MS"),
    (name = "STALL_MS", fromEnvironment = "STALL_MS"),
    (name = "ALLOW_HOST", fromEnvironment = "ALLOW_HOST"),
  ],
  durableObjectNamespaces = [(className = "StreamObject", uniqueKey = "streams", enableSql = true)],
  durableObjectStorage = (localDisk = "disk"),
);
