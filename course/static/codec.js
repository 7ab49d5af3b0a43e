/* The reference codec, compiled for a browser by course/browser_codec/build.py, as functions on arrays of bytes. */
(function (scope) {
  "use strict";
  /* The gsst_format of include/gsst/gsst.h. */
  var formats = { blocks: 1, splits: 2, coalesced: 3, tiles: 4 };
  var messageBytes = 256;
  /* `module` is what loadGsstCodec() promises. */
  function codec(module) {
    /* Calls `work` with pieces of the module's memory of these sizes, which are freed after. */
    function withMemory(sizes, work) {
      var places = sizes.map(function (size) { return module._malloc(size || 1); });
      try {
        return work.apply(null, places);
      } finally {
        places.forEach(module._free);
      }
    }
    function word(place) { return new DataView(module.HEAPU8.buffer).getUint32(place, true); }
    function check(error, message) {
      if (error === 0) return;
      var text = module.HEAPU8.subarray(message, message + messageBytes);
      throw new Error(new TextDecoder().decode(text.slice(0, text.indexOf(0))));
    }
    /* Runs a plan: `create` makes it, `execute` fills the output and returns how much of it counts. */
    function run(input, options, create, outputBytes, execute, destroy) {
      return withMemory([input.length, options.length, 4, messageBytes, 4], function (from, chosen, plan, message, size) {
        module.HEAPU8.set(input, from);
        module.HEAPU8.set(options, chosen);
        check(create(from, chosen, plan, message), message);
        try {
          var capacity = outputBytes(word(plan));
          return withMemory([capacity], function (to) {
            check(execute(word(plan), from, to, capacity, size, message), message);
            return module.HEAPU8.slice(to, to + word(size));
          });
        } finally {
          destroy(word(plan));
        }
      });
    }
    return {
      compress: function (input, settings) {
        /* gsst_compress_options: its size, format, block_bytes (two words), splits, level, threads, strip_codes, checksum. */
        var options = Uint32Array.of(40, formats[settings.format], 0, 0, settings.splits || 0, settings.level || 0, 0, 0, 0, 0);
        return run(input, new Uint8Array(options.buffer),
          function (from, chosen, plan, message) {
            return module._gsst_compress_plan_create(input.length, chosen, plan, message);
          },
          module._gsst_compress_plan_output_bytes,
          function (plan, from, to, capacity, size, message) {
            return module._gsst_compress_execute(plan, from, input.length, to, capacity, size, message);
          },
          module._gsst_compress_plan_destroy);
      },
      decompress: function (frame) {
        return run(frame, new Uint8Array(0),
          function (from, chosen, plan, message) {
            return module._gsst_decompress_plan_create(from, frame.length, 0, plan, message);
          },
          module._gsst_decompress_plan_output_bytes,
          function (plan, from, to, capacity, size, message) {
            new DataView(module.HEAPU8.buffer).setUint32(size, capacity, true);
            return module._gsst_decompress_execute(plan, to, capacity, message);
          },
          module._gsst_decompress_plan_destroy);
      }
    };
  }
  scope.gsstCodec = codec;
})(typeof window === "undefined" ? globalThis : window);
