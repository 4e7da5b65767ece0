"use strict";

const http = require("http");
const { promisify, inspect: show } = require("node:util");
const parse = require("./parse").query;
require("./env");

/** Answers requests. */
function Server(options) {
  if (!(this instanceof Server)) return new Server(options);
  this.options = options;
}

/** Starts to listen. */
Server.prototype.listen = function (port) {
  const server = http.createServer(this.handle);
  server.listen(port);
  return promisify(server.close);
};

Server.prototype.handle = function handle(request, response) {
  var query = parse(request.url);
  response.end(show(query));
};

Server.create = (options) => new Server(options);

function close(server, done) {
  const helpers = require("./helpers");
  helpers.drain(server);
  done();
}

exports.close = close;
exports.version = "2";
exports.restart = async function (server) {
  await close(server);
  server.listen(server.options.port);
};

module.exports = { Server, shutdown: close, ping() { return show("pong"); } };
