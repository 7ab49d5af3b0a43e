/* Predictions: what was measured stays folded until something is predicted. Without this script it can be opened. */
(function () {
  "use strict";
  function store(key, value) {
    try {
      if (value === undefined) return window.localStorage.getItem(key) || "";
      window.localStorage.setItem(key, value);
    } catch (error) {
      /* A browser may keep nothing for files. */
    }
    return "";
  }
  function prepare(input) {
    var key = "prediction:" + input.getAttribute("data-prediction");
    var part = input.closest(".predict");
    var folded = part.querySelector("details.measured");
    var summary = folded.querySelector("summary");
    var said = document.createElement("p");
    said.className = "said";
    folded.insertBefore(said, summary.nextSibling);
    function update() {
      var value = input.value.trim();
      part.classList.toggle("waiting", value === "");
      said.textContent = value === "" ? "" : "You predicted: " + value;
    }
    input.value = store(key);
    input.addEventListener("input", function () {
      store(key, input.value);
      update();
    });
    input.addEventListener("keydown", function (event) {
      if (event.key === "Enter" && input.value.trim() !== "") folded.open = true;
    });
    summary.addEventListener("click", function (event) {
      if (input.value.trim() === "") {
        event.preventDefault();
        input.focus();
      }
    });
    update();
  }
  /* Sliders over the rows of a sweep: one for each setting, and what was measured for them. */
  function occupancy(part, data) {
    var names = {
      blocks: "data blocks for each multiprocessor",
      splits: "splits, threads of a block",
      alignment: "alignment in bytes",
      output_transfers: "output transfers",
      registers: "registers of a thread"
    };
    var values = data.settings.map(function (_, column) {
      var found = {};
      data.rows.forEach(function (row) { found[row[column]] = true; });
      return Object.keys(found).map(Number).sort(function (a, b) { return a - b; });
    });
    var result = document.createElement("p");
    result.setAttribute("aria-live", "polite");
    var sliders = data.settings.map(function (name, column) {
      var label = document.createElement("label");
      var shown = document.createElement("output");
      var slider = document.createElement("input");
      slider.type = "range";
      slider.min = "0";
      slider.max = String(values[column].length - 1);
      slider.value = "0";
      slider.addEventListener("input", update);
      label.append(names[name] + ": ", shown, document.createElement("br"), slider);
      part.appendChild(label);
      return { slider: slider, shown: shown };
    });
    part.appendChild(result);
    function update() {
      var wanted = sliders.map(function (one, column) {
        var value = values[column][Number(one.slider.value)];
        one.shown.textContent = String(value);
        return value;
      });
      var row = data.rows.find(function (candidate) {
        return wanted.every(function (value, column) { return candidate[column] === value; });
      });
      var fit = Math.min(Math.floor(65536 / (wanted[4] * wanted[1])), Math.floor(2048 / wanted[1]));
      result.textContent = (row
        ? "Measured: " + row[data.settings.length] + " GB of text per second, " + row[data.settings.length + 1] + " of the limit."
        : "This setting was not measured.") +
        " By registers and threads, " + fit + " thread blocks fit on a multiprocessor at the same time.";
    }
    update();
  }
  /* Where the codes of a block are stored, and which of them the threads read in one turn. */
  function layouts(part, data) {
    /* The bytes that a code is in; `index` is its place in the order of the output, `code` its place in its thread's. */
    var places = {
      splits: function (index) { return [index]; },
      coalesced: function (index, thread, code, threads) { return [thread + code * threads]; },
      "tiles, 8 bits": function (index) { return [index]; },
      "tiles, 10 bits": function (index) {
        return [index, data.codes + 2 * Math.floor(index / 8) + index % 2];
      },
      "tiles, 12 bits": function (index) { return [index, data.codes + Math.floor(index / 2)]; }
    };
    var pieceBytes = 8;
    function isTiles() { return format.value.indexOf("tiles") === 0; }
    function choice(name, values) {
      var label = document.createElement("label");
      var select = document.createElement("select");
      values.forEach(function (value) { select.add(new Option(String(value))); });
      select.addEventListener("change", update);
      label.append(name + ": ", select);
      part.appendChild(label);
      return select;
    }
    var format = choice("format", data.formats);
    var splits = choice("splits or lanes, a thread for each", data.splits);
    var label = document.createElement("label");
    var turn = document.createElement("input");
    turn.type = "range";
    turn.min = "0";
    turn.value = "0";
    turn.addEventListener("input", update);
    label.append("turn: ", turn);
    part.appendChild(label);
    var cells = document.createElement("div");
    cells.className = "cells";
    part.appendChild(cells);
    var result = document.createElement("p");
    result.setAttribute("aria-live", "polite");
    part.appendChild(result);
    function update() {
      var threads = Number(splits.value);
      var each = data.codes / threads;
      /* A lane of a tile reads all its codes at once. */
      turn.max = String(isTiles() ? 0 : each - 1);
      turn.disabled = isTiles();
      var now = Number(turn.value);
      var stored = [];
      var pieces = {};
      var read = 0;
      for (var index = 0; index < data.codes; index++) {
        var thread = Math.floor(index / each);
        var code = index % each;
        var isRead = isTiles() || code === now;
        read += isRead;
        places[format.value](index, thread, code, threads).forEach(function (place) {
          stored[place] = stored[place] || { names: [], isRead: false };
          stored[place].names.push(thread + "." + code);
          stored[place].isRead = stored[place].isRead || isRead;
          if (isRead) pieces[Math.floor(place / pieceBytes)] = true;
        });
      }
      cells.replaceChildren.apply(cells, stored.map(function (one) {
        var cell = document.createElement("span");
        cell.textContent = one.names.join("\n");
        if (one.isRead) cell.className = "read";
        return cell;
      }));
      result.textContent = (isTiles() ? "At once, " + threads + " lanes read " : "In turn " + now + ", " + threads + " threads read ") +
        read + " codes from " + Object.keys(pieces).length + " of " + Math.ceil(stored.length / pieceBytes) +
        " pieces of " + pieceBytes + " bytes.";
    }
    update();
  }
  /* The greedy encoder, on the bytes of a text and of symbols that the reader types. */
  function fsst(part, data) {
    var bytesOf = function (text) { return Array.from(new TextEncoder().encode(text)); };
    function field(name, value) {
      var label = document.createElement("label");
      var input = document.createElement("input");
      input.type = "text";
      input.value = value;
      input.size = 32;
      input.addEventListener("input", update);
      label.append(name + ": ", document.createElement("br"), input);
      part.appendChild(label);
      return input;
    }
    var text = field("text", data.text);
    var symbols = field("symbols", data.symbols.join(","));
    var result = document.createElement("p");
    result.setAttribute("aria-live", "polite");
    part.appendChild(result);
    function encode(content, table) {
      var codes = [];
      for (var at = 0; at < content.length; ) {
        var best = -1;
        table.forEach(function (symbol, code) {
          var fits = symbol.every(function (byte, place) { return content[at + place] === byte; });
          if (fits && (best < 0 || symbol.length > table[best].length)) best = code;
        });
        if (best < 0) codes.push(data.escape, content[at]);
        else codes.push(best);
        at += best < 0 ? 1 : table[best].length;
      }
      return codes;
    }
    function update() {
      var table = symbols.value.split(",").map(bytesOf).filter(function (symbol) {
        return symbol.length > 0 && symbol.length <= data.longest;
      });
      var content = bytesOf(text.value);
      var codes = encode(content, table.slice(0, data.escape));
      result.textContent = content.length + " bytes of text, " + codes.length + " bytes of codes: " + codes.join(" ");
    }
    update();
  }
  var widgets = Object.assign({ fsst: fsst, layouts: layouts, tile_layouts: layouts, occupancy: occupancy }, window.courseWidgets);
  document.querySelectorAll("[data-widget]").forEach(function (part) {
    var data = JSON.parse(part.querySelector("script").textContent);
    widgets[part.getAttribute("data-widget")](part, data);
  });
  document.querySelectorAll("[data-prediction]").forEach(prepare);
})();
