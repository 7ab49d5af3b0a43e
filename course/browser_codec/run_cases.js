/* Runs the codec that a page runs, with Node.js, for test_browser_codec.py:
     node run_cases.js CODEC CASES
   CASES is a file with a list of {input, frame, format, splits, level}: `input` is compressed to `frame`. Prints for
   each whether the codec decodes it, and what a page makes of the frame. */
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");
for (const script of ["codec.js", "format.js"]) {
  vm.runInThisContext(fs.readFileSync(path.join(__dirname, "../static", script), "utf8"));
}
const [script, cases] = process.argv.slice(2);

/* Whether the fields are all bytes, each once. */
function coversAll(frame, bytes) {
  let at = 0;
  for (const field of frame.parts.flatMap((part) => part.fields)) {
    if (field.begin !== at) return false;
    at += field.bytes;
  }
  return at === bytes.length;
}

require(path.resolve(script))().then((module) => {
  const codec = gsstCodec(module);
  const found = JSON.parse(fs.readFileSync(cases, "utf8")).map((one) => {
    const input = fs.readFileSync(one.input);
    const bytes = codec.compress(input, one);
    fs.writeFileSync(one.frame, bytes);
    const frame = gsstFrame(bytes);
    let damage = "";
    try {
      codec.decompress(bytes.subarray(0, bytes.length - 1));
    } catch (error) {
      damage = error.message;
    }
    return {
      decoded: Buffer.from(codec.decompress(bytes)).equals(input),
      covered: coversAll(frame, bytes),
      raw: frame.blocks.some((block) => block.raw),
      text: Buffer.concat(frame.blocks.flatMap((block) => block.pieces.map((piece) => piece.bytes))).toString("base64"),
      damage
    };
  });
  console.log(JSON.stringify(found));
});
