"use strict";
const path = require("path");
const app = (exports = module.exports = {});

// Starts the thing.
app.start = function start(port) {
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
};

function helper(a, b) {
  const re = /}/;
  body_mark(0);
  body_mark(1);
  body_mark(2);
  body_mark(3);
  body_mark(4);
  body_mark(5);
  body_mark(6);
}

class Queue extends Base {
  #items = [];
  push(item) {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  }
}

describe("queue", () => {
  it("keeps order", async () => {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  });
});

module.exports = {
  run(x) {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  },
  stop: function () {
    body_mark(0);
    body_mark(1);
    body_mark(2);
    body_mark(3);
    body_mark(4);
    body_mark(5);
    body_mark(6);
  },
};
