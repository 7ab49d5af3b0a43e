/* Reads frames of the formats with symbols, as common/format/FORMAT.md defines them: every byte as a field, and the
   codes in the order of the output. For frames that the codec has written: it checks nothing. */
(function (scope) {
  "use strict";
  var formats = { 1: "blocks", 2: "splits", 3: "coalesced", 4: "tiles" };
  var layouts = ["raw", "narrow", "wide"];
  var escape = 255;
  var lanes = 32;
  var trailerBytes = 24;
  function range(count) { return Array.from({ length: count }, function (_, i) { return i; }); }
  function divideUp(total, count) { return Math.ceil(total / count); }
  function plural(count, word) { return count + " " + word + (count === 1 ? "" : "s"); }

  function read(bytes) {
    var parts = [];
    var part = null;
    var at = 0;
    /* Fields are added to the part that was begun last. */
    function begin(name, kind) {
      part = { name: name, kind: kind, begin: at, bytes: 0, fields: [] };
      parts.push(part);
    }
    function field(name, size, value) {
      part.fields.push({ name: name, begin: at, bytes: size, value: value });
      part.bytes += size;
      at += size;
    }
    function little(place, size) {
      var value = 0;
      for (var i = size - 1; i >= 0; i--) value = value * 256 + bytes[place + i];
      return value;
    }
    function number(name, size, say) {
      var value = little(at, size);
      field(name, size, say ? say(value) : String(value));
      return value;
    }
    function bigEndian(name, size) {
      var value = 0;
      for (var i = 0; i < size; i++) value = value * 256 + bytes[at + i];
      field(name, size, value + ", highest byte first");
      return value;
    }
    function opaque(name, size, value) { field(name, size, value || ""); }

    function frameHeader() {
      begin("frame header", "frame");
      opaque("magic", 8, "marks a frame");
      number("frame version", 1);
      number("flags", 1);
      var format = number("format id", 2, function (id) { return id + ": " + formats[id]; });
      number("checksum kind", 1, function (kind) { return kind + ": " + (kind === 1 ? "xxh64" : "xxh64-tree"); });
      opaque("reserved", 3);
      number("block size", 8);
      number("splits per block", 4);
      opaque("reserved", 4);
      opaque("checksum", 8, "of the bytes before");
      return formats[format];
    }
    function recordFields() {
      var kind = number("record kind", 1, function (id) { return id + ": " + (id === 1 ? "block" : "index"); });
      var layout = number("layout", 1, function (id) { return kind === 1 ? id + ": " + layouts[id] : String(id); });
      opaque("reserved", 6);
      var payload = number("payload bytes", 4);
      var uncompressed = number("uncompressed bytes", 4);
      opaque("checksum", 8, kind === 1 ? "of the block's text" : "of the index's bytes");
      return { layout: layout, payload: payload, uncompressed: uncompressed };
    }
    /* Section 2: the symbols by code. */
    function symbolTable() {
      begin("symbol table", "table");
      field("version word", 8, bytes[at + 1] + " symbols, version " + little(at + 4, 4));
      number("zero-terminated flag", 1);
      var histogram = Array.from(bytes.subarray(at, at + 8));
      field("length histogram", 8, histogram.map(function (count, i) { return count + " of " + (i + 1); }).join(", "));
      var symbols = [];
      [2, 3, 4, 5, 6, 7, 8, 1].forEach(function (length) {
        var count = histogram[length - 1];
        if (count === 0) return;
        range(count).forEach(function (i) {
          symbols.push(bytes.subarray(at + i * length, at + (i + 1) * length));
        });
        field("symbols of " + plural(length, "byte"), count * length, plural(count, "symbol"));
      });
      return symbols;
    }
    /* Codes of one byte, with escapes. */
    function piecesOf(codes, symbols) {
      var pieces = [];
      for (var i = 0; i < codes.length; i++) {
        if (codes[i] === escape) {
          i++;
          pieces.push({ codes: [escape, codes[i]], bytes: Uint8Array.of(codes[i]), escaped: true });
        } else {
          pieces.push({ codes: [codes[i]], bytes: symbols[codes[i]] });
        }
      }
      return pieces;
    }
    /* Sections 3 to 5. */
    function blockOfSymbols(format, record) {
      var end = at + record.payload;
      var width = record.layout === 1 ? 3 : 4;
      begin("block header", "block");
      if (width === 3) bigEndian("block size", 3);
      else number("block size", 4);
      number("uncompressed size", 4);
      var locations = [0];
      if (format !== "blocks") {
        var count = number("number of splits", width === 3 ? 1 : 4);
        var isJoined = Math.pow(2, 8 * width - 1);
        locations = range(count).map(function (i) {
          return number("split location " + i, width, function (value) {
            if (format === "splits") return "its codes begin at code byte " + value;
            return "its output begins at byte " + value % isJoined +
              (value >= isJoined ? "; its first code is an escaped byte" : "");
          });
        });
      }
      var symbols = symbolTable();
      begin("codes", "codes");
      var total = end - at;
      var codes = bytes.subarray(at, end);
      if (format === "coalesced") {
        var inOrder = new Uint8Array(total);
        var place = 0;
        locations.forEach(function (_, split) {
          for (var x = split; x < total; x += locations.length) inOrder[place++] = codes[x];
        });
        field("codes, dealt to the splits one by one", total, plural(total, "byte") + ", the first of each split, then the second");
        codes = inOrder;
      } else {
        locations.forEach(function (location, split) {
          var size = (split + 1 < locations.length ? locations[split + 1] : total) - location;
          field(format === "blocks" ? "codes" : "codes of split " + split, size, plural(size, "byte"));
        });
      }
      return { symbols: symbols, pieces: piecesOf(codes, symbols) };
    }
    function tileCode(tile, count, bits, index) {
      var low = bytes[tile + index];
      var rest = tile + count;
      if (bits === 12) return low + (bytes[rest + (index >> 1)] >> 4 * (index % 2) & 15) * 256;
      if (bits === 10) {
        var position = index % 8;
        return low * 4 + (bytes[rest + (index >> 3) * 2 + position % 2] >> 2 * (position >> 1) & 3);
      }
      return low;
    }
    /* Section 9. `before` are the blocks before this one. */
    function blockOfTiles(record, before) {
      var end = at + record.payload;
      begin("block header", "block");
      number("block size", 4);
      number("uncompressed size", 4);
      var bits = number("code bits", 1);
      var perLane = number("codes per lane", 1);
      var perStrip = number("tiles per strip", 2);
      var count = number("code count", 4);
      var isEscapeFree = number("escape-free flag", 1, function (flag) {
        return flag + (flag === 1 || bits > 8 ? "" : ": codes 0 to 31 are halves of bytes");
      }) === 1;
      opaque("reserved", 3);
      var dictionary = number("dictionary id", 4, function (id) {
        return id === 0 ? "0: the symbols are in this block" : id + " blocks before this one";
      });
      opaque("reserved", 8);
      var lengths = Array.from(bytes.subarray(at, at + 16));
      field("length of class 0 to 15", 16, lengths.join(", "));
      var tileCodes = lanes * perLane;
      var tileBytes = tileCodes / 8 * bits;
      var tiles = divideUp(count, tileCodes);
      var firstTile = at;
      begin("codes", "codes");
      range(tiles).forEach(function (tile) {
        var used = Math.min(tileCodes, count - tile * tileCodes);
        field("tile " + tile + ", strip " + Math.floor(tile / perStrip), tileBytes, plural(used, "code") + " of " + bits + " bits");
      });
      begin("strip offsets", "block");
      range(divideUp(tiles, perStrip)).forEach(function (strip) {
        number("strip offset " + strip, 4, function (value) { return "its output begins at byte " + value; });
      });
      var perClass = Math.pow(2, bits) / 16;
      /* Classes whose symbols the format fixes: halves of bytes, or all bytes. */
      var fixed = bits === 8 ? (isEscapeFree ? 0 : 2) : 256 / perClass;
      var symbols = dictionary > 0 ? before[before.length - dictionary].symbols : [];
      if (dictionary === 0) {
        begin("symbols", "table");
        range(fixed * perClass).forEach(function (code) {
          symbols.push(bits === 8 ? null : Uint8Array.of(code));
        });
        lengths.slice(fixed).forEach(function (length, i) {
          range(perClass).forEach(function (code) {
            symbols.push(bytes.subarray(at + code * length, at + (code + 1) * length));
          });
          if (length > 0) {
            field("symbols of class " + (i + fixed), perClass * length, perClass + " of " + plural(length, "byte"));
          }
        });
      }
      if (at < end) {
        begin("padding", "none");
        opaque("padding", end - at, "so that the next block is aligned");
      }
      var pieces = [];
      var half = null;
      range(count).forEach(function (index) {
        var tile = Math.floor(index / tileCodes);
        var code = tileCode(firstTile + tile * tileBytes, tileCodes, bits, index % tileCodes);
        if (symbols[code] !== null) {
          pieces.push({ codes: [code], bytes: symbols[code], escaped: bits > 8 && code < 256 });
        } else if (code < 16) {
          half = code;
        } else {
          pieces.push({ codes: half === null ? [code] : [half, code], bytes: Uint8Array.of((half || 0) * 16 + code - 16), escaped: true });
          half = null;
        }
      });
      return { symbols: symbols, pieces: pieces };
    }
    function rawBlock(record) {
      begin("text, stored as it is", "codes");
      opaque("text", record.uncompressed, plural(record.uncompressed, "byte"));
      if (record.payload > record.uncompressed) {
        begin("padding", "none");
        opaque("padding", record.payload - record.uncompressed, "so that the next block is aligned");
      }
      return { raw: true, symbols: [], pieces: [] };
    }

    var format = frameHeader();
    var blocks = [];
    var index = bytes.length - trailerBytes - little(bytes.length - trailerBytes + 8, 8);
    while (at < index) {
      begin("record of block " + blocks.length, "frame");
      var record = recordFields();
      if (record.layout === 0) blocks.push(rawBlock(record));
      else if (format === "tiles") blocks.push(blockOfTiles(record, blocks));
      else blocks.push(blockOfSymbols(format, record));
    }
    begin("record of the index", "frame");
    recordFields();
    begin("index", "index");
    blocks.forEach(function (_, block) {
      number("payload offset of block " + block, 8);
      number("uncompressed offset", 8);
      opaque("record header again", 24);
    });
    number("number of blocks", 8);
    number("uncompressed bytes", 8);
    begin("trailer", "frame");
    number("frame bytes", 8);
    number("index bytes", 8);
    opaque("trailer magic", 8, "marks the end");
    return { format: format, parts: parts, blocks: blocks };
  }
  scope.gsstFrame = read;
})(typeof window === "undefined" ? globalThis : window);
