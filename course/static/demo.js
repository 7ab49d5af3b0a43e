/* The reference codec on a text of the reader's: the table, the codes, and every byte of the frame. */
(function () {
  "use strict";
  var shownPieces = 300;
  var shownSymbols = 512;
  var shownBytes = 24;
  var withSplits = { splits: true, coalesced: true };
  function element(kind, className, content) {
    var made = document.createElement(kind);
    if (className) made.className = className;
    if (content !== undefined) made.textContent = content;
    return made;
  }
  function grouped(number) { return number.toLocaleString("en-US"); }
  function hex(byte) { return (byte < 16 ? "0" : "") + byte.toString(16).toUpperCase(); }
  /* Bytes that cannot be seen as marks or as hexadecimal digits. */
  function visible(bytes) {
    var text;
    try {
      text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (error) {
      return Array.from(bytes, function (byte) {
        return byte > 32 && byte < 127 ? String.fromCharCode(byte) : "\\x" + hex(byte);
      }).join("");
    }
    return text.replace(/ /g, "␣").replace(/\n/g, "↵").replace(/\t/g, "→").replace(/[\u0000-\u001f\u007f]/g, function (mark) {
      return "\\x" + hex(mark.charCodeAt(0));
    });
  }
  function chip(above, below, className) {
    var made = element("span", className ? "chip " + className : "chip");
    made.append(element("b", "", above), element("small", "", below));
    return made;
  }
  function chips(name, all, limit, draw) {
    var box = element("div", "chips");
    /* It scrolls: for those who read with keys. */
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", name);
    all.slice(0, limit).forEach(function (one) { box.appendChild(draw(one)); });
    if (all.length > limit) box.append(" and " + grouped(all.length - limit) + " more");
    return box;
  }
  /* Those that codes of the text name: a class of symbols can be filled up with some that none does. */
  function usedSymbols(block) {
    var used = {};
    block.pieces.forEach(function (piece) {
      if (!piece.escaped) used[piece.codes[0]] = true;
    });
    return block.symbols.map(function (bytes, code) { return { bytes: bytes, code: code }; })
      .filter(function (one) { return used[one.code]; });
  }
  /* What the reader has opened or folded stays so when the text changes. */
  var opened = {};
  function fold(key, isOpen, className, title) {
    var part = element("details", className);
    part.open = key in opened ? opened[key] : isOpen;
    part.addEventListener("toggle", function () { opened[key] = part.open; });
    part.appendChild(element("summary", "", title));
    return part;
  }
  function drawTable(block) {
    var symbols = usedSymbols(block);
    var part = fold("table", false, "", "The table: " + grouped(symbols.length) + " symbols that this text uses");
    part.append(chips("symbols", symbols, shownSymbols, function (one) { return chip(visible(one.bytes), one.code); }));
    return part;
  }
  function drawCodes(block) {
    var escaped = block.pieces.filter(function (piece) { return piece.escaped; }).length;
    var part = fold("codes", true, "", "The codes, below their symbols: " + grouped(block.pieces.length) +
      " pieces, of which " + grouped(escaped) + " are bytes without a symbol");
    part.append(chips("codes", block.pieces, shownPieces, function (piece) {
      return chip(visible(piece.bytes), piece.codes.join(" "), piece.escaped ? "escaped" : "");
    }));
    return part;
  }
  function drawField(field, bytes) {
    var row = element("div", "field");
    var head = element("div");
    head.append(element("code", "", field.begin), " " + field.name + (field.value ? ": " + field.value : ""));
    var shown = Array.from(bytes.subarray(field.begin, field.begin + Math.min(field.bytes, shownBytes)), hex).join(" ");
    if (field.bytes > shownBytes) shown += " and " + grouped(field.bytes - shownBytes) + " more";
    row.append(head, element("code", "hex", shown));
    return row;
  }
  function drawFrame(frame, bytes) {
    var part = fold("frame", true, "", "The frame's bytes: a name for each");
    var map = element("div", "map");
    map.setAttribute("aria-hidden", "true");
    part.appendChild(map);
    frame.parts.forEach(function (one) {
      var piece = element("span", "kind-" + one.kind);
      piece.style.flexGrow = String(one.bytes);
      piece.title = one.name;
      map.appendChild(piece);
      var title = one.name + ": " + grouped(one.bytes) + " bytes from byte " + grouped(one.begin);
      var group = fold(one.name, one.kind === "block", "group kind-" + one.kind, title);
      piece.addEventListener("click", function () {
        group.open = true;
        group.scrollIntoView({ block: "nearest" });
      });
      one.fields.forEach(function (field) { group.appendChild(drawField(field, bytes)); });
      part.appendChild(group);
    });
    return part;
  }
  function sizes(text, bytes, frame) {
    var ofTable = 0;
    var ofCodes = 0;
    frame.parts.forEach(function (part) {
      if (part.kind === "table") ofTable += part.bytes;
      if (part.kind === "codes") ofCodes += part.bytes;
    });
    var raw = frame.blocks.some(function (block) { return block.raw; });
    return grouped(text.length) + " bytes of text, " + grouped(bytes.length) + " of the frame: ratio " +
      (text.length / bytes.length).toFixed(2) + ". " +
      (raw ? "The text is stored as it is: coded it would be no smaller. "
        : "Codes take " + grouped(ofCodes) + " bytes, symbols " + grouped(ofTable) + ", ") +
      (raw ? "Headers and index take " : "headers and index ") + grouped(bytes.length - ofTable - ofCodes) + ".";
  }
  function demo(part, data) {
    var status = element("p");
    status.setAttribute("aria-live", "polite");
    if (typeof window.loadGsstCodec !== "function") {
      status.textContent = data.absent;
      part.appendChild(status);
      return;
    }
    var codec = null;
    var waiting = null;
    function choice(name, options, chosen) {
      var label = element("label");
      var select = element("select");
      options.forEach(function (option) { select.add(new Option(option.name, option.value)); });
      select.value = chosen;
      label.append(name + ": ", select);
      part.appendChild(label);
      return select;
    }
    function numbers(from, to) {
      return Array.from({ length: to - from + 1 }, function (_, i) { return { name: from + i, value: from + i }; });
    }
    var sample = choice("text", data.samples.map(function (one, i) { return { name: one.name, value: i }; }), "0");
    var format = choice("format", ["blocks", "splits", "coalesced", "tiles"].map(function (name) {
      return { name: name, value: name };
    }), "splits");
    var splits = choice("splits", numbers(1, 8), "4");
    var level = choice("level", numbers(1, 9), "3");
    var text = element("textarea");
    text.rows = 6;
    text.maxLength = data.longest;
    text.spellcheck = false;
    text.setAttribute("aria-label", "text to compress");
    text.value = data.samples[0].text;
    var result = element("div", "frame");
    part.append(text, status, result);
    function update() {
      if (codec === null) return;
      splits.disabled = !withSplits[format.value];
      var content = new TextEncoder().encode(text.value);
      try {
        var bytes = codec.compress(content, {
          format: format.value,
          splits: splits.disabled ? 0 : Number(splits.value),
          level: Number(level.value)
        });
        var back = codec.decompress(bytes);
        if (!back.every(function (byte, i) { return byte === content[i]; }) || back.length !== content.length) {
          throw new Error("The frame decodes to another text.");
        }
        var frame = window.gsstFrame(bytes);
        var coded = frame.blocks.filter(function (block) { return !block.raw; });
        status.textContent = sizes(content, bytes, frame);
        result.replaceChildren.apply(result, coded.map(drawCodes).concat(coded.map(drawTable), drawFrame(frame, bytes)));
      } catch (error) {
        status.textContent = "The codec stopped: " + error.message;
        result.replaceChildren();
      }
    }
    function updateSoon() {
      window.clearTimeout(waiting);
      waiting = window.setTimeout(update, 200);
    }
    sample.addEventListener("change", function () {
      text.value = data.samples[Number(sample.value)].text;
      update();
    });
    text.addEventListener("input", updateSoon);
    [format, splits, level].forEach(function (select) { select.addEventListener("change", update); });
    status.textContent = "The codec is loading.";
    window.loadGsstCodec().then(function (module) {
      codec = window.gsstCodec(module);
      update();
    }, function (error) {
      status.textContent = "This browser does not run the codec: " + error.message;
    });
  }
  window.courseWidgets = { codec: demo };
})();
