#!/usr/bin/env cob
"use strict";
console.log((() => this)() === this, (function () { return this; })());
