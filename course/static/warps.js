/* What the lanes of a warp access, instruction by instruction: two excerpts of real traces, side by side. */
(function () {
  "use strict";
  var LANES = 32;
  var SECTOR = 32;
  var BANKS = 32;
  var WORD = 4;
  var WIDTH = 340;
  var KINDS = {
    global_load: { verb: "load", memory: "global", name: "load from global memory" },
    global_store: { verb: "store", memory: "global", name: "store to global memory" },
    global_atomic: { verb: "change", memory: "global", name: "atomic in global memory" },
    global_copy: { verb: "copy", memory: "global", name: "copy from global memory" },
    shared_load: { verb: "load", memory: "shared", name: "load from shared memory" },
    shared_store: { verb: "store", memory: "shared", name: "store to shared memory" },
    shared_atomic: { verb: "change", memory: "shared", name: "atomic in shared memory" },
    shared_copy: { verb: "copy", memory: "shared", name: "copy to shared memory" }
  };

  function element(name, className, text) {
    var made = document.createElement(name);
    if (className) made.className = className;
    if (text !== undefined) made.textContent = text;
    return made;
  }
  function drawn(name, attributes, title) {
    var made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.keys(attributes).forEach(function (key) { made.setAttribute(key, String(attributes[key])); });
    if (title !== undefined) made.appendChild(drawn("title", {})).textContent = title;
    return made;
  }
  function words(x, y, text, anchor) {
    var made = drawn("text", { x: x, y: y, "text-anchor": anchor || "start" });
    made.textContent = text;
    return made;
  }
  function picture(height, label) {
    return drawn("svg", { viewBox: "0 0 " + WIDTH + " " + height, role: "img", "aria-label": label });
  }
  function plural(count, one, many) { return count + " " + (count === 1 ? one : many); }
  /* The first and the last of neighbouring numbers. */
  function runs(numbers) {
    var found = [];
    numbers.forEach(function (number) {
      var last = found[found.length - 1];
      if (last && last[1] === number - 1) last[1] = number;
      else found.push([number, number]);
    });
    return found;
  }
  function ranges(numbers) {
    return runs(numbers).map(function (run) { return run[0] === run[1] ? run[0] : run[0] + "–" + run[1]; }).join(", ");
  }
  function shortened(text, most) { return text.length <= most ? text : text.slice(0, most - 1) + "…"; }

  /* The lanes that take part, each with its address. */
  function activeLanes(step) {
    var found = [];
    step.addresses.forEach(function (address, lane) {
      if (address !== null) found.push({ lane: lane, address: address });
    });
    return found;
  }
  /* By number of a sector: its lanes, and which of its bytes they access. */
  function sectorsOf(step) {
    var found = new Map();
    activeLanes(step).forEach(function (one) {
      for (var byte = one.address; byte < one.address + step.bytes; byte++) {
        var number = Math.floor(byte / SECTOR);
        if (!found.has(number)) found.set(number, { lanes: [], used: new Set() });
        var sector = found.get(number);
        if (sector.lanes[sector.lanes.length - 1] !== one.lane) sector.lanes.push(one.lane);
        sector.used.add(byte % SECTOR);
      }
    });
    return new Map(Array.from(found).sort(function (a, b) { return a[0] - b[0]; }));
  }
  /* Lanes that are served together, for each bank its words with their lanes: a pass serves a word of each. */
  function banksOf(step, kind) {
    var lanes = activeLanes(step);
    var together = LANES * WORD / Math.max(step.bytes, WORD);
    var groups = [];
    for (var first = 0; first < lanes.length; first += together) {
      var served = lanes.slice(first, first + together);
      var banks = Array.from({ length: BANKS }, function () { return new Map(); });
      served.forEach(function (one) {
        for (var word = Math.floor(one.address / WORD); word * WORD < one.address + step.bytes; word++) {
          var key = kind === "shared_atomic" ? word + ":" + one.lane : word;
          var bank = banks[word % BANKS];
          if (!bank.has(key)) bank.set(key, []);
          bank.get(key).push(one.lane);
        }
      });
      groups.push({
        lanes: served.map(function (one) { return one.lane; }),
        banks: banks,
        passes: Math.max.apply(null, banks.map(function (bank) { return bank.size; }))
      });
    }
    return groups;
  }
  function unitsOf(step, kind) {
    if (KINDS[kind].memory === "global") return sectorsOf(step).size;
    return banksOf(step, kind).reduce(function (sum, group) { return sum + group.passes; }, 0);
  }
  function unitName(kind, count) {
    return KINDS[kind].memory === "global" ? plural(count, "sector", "sectors") : plural(count, "pass", "passes");
  }

  function drawSectors(step, kind) {
    var sectors = sectorsOf(step);
    var svg = picture(30 * Math.ceil(sectors.size / 4) + 4, plural(sectors.size, "sector", "sectors") + " of 32 bytes");
    var place = 0;
    sectors.forEach(function (sector, number) {
      var x = place % 4 * 85 + 2;
      var y = Math.floor(place / 4) * 30;
      place++;
      var lanes = (sector.lanes.length === 1 ? "lane " : "lanes ") + ranges(sector.lanes);
      var title = lanes + ": bytes " + number * SECTOR + " to " + (number * SECTOR + SECTOR - 1);
      var group = drawn("g", {}, title);
      group.appendChild(words(x, y + 11, shortened(lanes, 15)));
      group.appendChild(drawn("rect", { x: x, y: y + 15, width: 80, height: 10, "class": "empty" }));
      runs(Array.from(sector.used).sort(function (a, b) { return a - b; })).forEach(function (run) {
        var width = (run[1] - run[0] + 1) * 2.5;
        group.appendChild(drawn("rect", { x: x + run[0] * 2.5, y: y + 15, width: width, height: 10, "class": kind }));
      });
      svg.appendChild(group);
    });
    return svg;
  }
  function drawBanks(step, kind) {
    var groups = banksOf(step, kind);
    var rows = groups.reduce(function (sum, group) { return sum + group.passes; }, 0);
    var left = 36;
    var size = (WIDTH - left - 2) / BANKS;
    var svg = picture(14 * rows + 20, plural(rows, "pass", "passes") + " over 32 banks");
    var row = 0;
    groups.forEach(function (group) {
      for (var pass = 0; pass < group.passes; pass++) {
        var y = 14 * row++;
        svg.appendChild(words(0, y + 10, "pass " + row));
        for (var bank = 0; bank < BANKS; bank++) {
          var found = Array.from(group.banks[bank].values())[pass];
          var title = "bank " + bank + (found ? ": " + (found.length === 1 ? "lane " : "lanes ") + ranges(found) : ": not used");
          var name = found ? (pass === 0 ? kind : "conflict") : "empty";
          svg.appendChild(drawn("rect", { x: left + bank * size, y: y, width: size - 1, height: 12, "class": name }, title));
        }
      }
    });
    svg.appendChild(words(0, 14 * rows + 13, "bank"));
    [0, 8, 16, 24, 31].forEach(function (bank) {
      svg.appendChild(words(left + (bank + 0.5) * size, 14 * rows + 13, bank, "middle"));
    });
    return svg;
  }
  /* What the step does, in words. */
  function said(step, kind) {
    var active = activeLanes(step);
    var text = plural(active.length, "lane", "lanes") + " of 32 " + (active.length === 1 ? KINDS[kind].verb + (KINDS[kind].verb === "copy" ? "" : "s") : KINDS[kind].verb) +
      " " + plural(step.bytes, "byte", "bytes") + (active.length === 1 ? "" : " each") +
      (/load|copy$/.test(kind) ? " from " : " to ") + KINDS[kind].memory + " memory: " + unitName(kind, unitsOf(step, kind));
    if (KINDS[kind].memory === "global") {
      var sectors = sectorsOf(step);
      var used = 0;
      sectors.forEach(function (sector) { used += sector.used.size; });
      return text + ", " + used + " of " + sectors.size * SECTOR + " bytes used.";
    }
    var groups = banksOf(step, kind);
    var worst = { lanes: [], words: 0, bank: 0 };
    groups.forEach(function (group) {
      group.banks.forEach(function (bank, number) {
        if (bank.size > worst.words) worst = { lanes: [].concat.apply([], Array.from(bank.values())), words: bank.size, bank: number };
      });
    });
    if (worst.words < 2) return text + ", no conflict.";
    worst.lanes.sort(function (a, b) { return a - b; });
    return text + ". Lanes " + ranges(worst.lanes) + " want " + worst.words + " words of bank " + worst.bank + ".";
  }

  function panel(data, shown, names) {
    var part = element("section", "warp");
    var label = element("label", "", "");
    var select = element("select");
    names.forEach(function (name) { select.add(new Option(name.text, name.value)); });
    select.value = shown;
    label.append("Trace: ", select);
    var holder = element("div");
    part.append(label, holder);
    select.addEventListener("change", show);
    function show() {
      var key = select.value.split(" ");
      var stage = data.stages[key[0]];
      var scene = stage.scenes.find(function (one) { return one.name === key[1]; });
      holder.replaceChildren.apply(holder, excerpt(stage, scene, names.find(function (one) { return one.value === select.value; }).text));
    }
    show();
    return part;
  }

  function excerpt(stage, scene, title) {
    var steps = scene.steps;
    var kinds = {};
    stage.lines.forEach(function (line) { kinds[line.number] = line.kind; });
    var kindOf = function (step) { return kinds[step.line]; };
    var chosen = 0;
    var marked = null;
    var left = 24;
    var size = (WIDTH - left) / steps.length;
    var tall = 6;
    var bottom = LANES * tall;
    var grid = picture(bottom + 72, title + ": a column for each of " + steps.length + " instructions, a row for each lane");
    grid.setAttribute("class", "grid");
    var columns = steps.map(function (step, index) {
      var kind = kindOf(step);
      var cost = unitsOf(step, kind);
      var column = drawn("g", { "class": "step", "data-units": cost }, "step " + (index + 1) + ": " + KINDS[kind].name + ", " + unitName(kind, cost));
      step.addresses.forEach(function (address, lane) {
        column.appendChild(drawn("rect", {
          x: left + index * size, y: lane * tall, width: size - 0.6, height: tall - 0.6, "class": address === null ? "empty" : kind
        }));
      });
      column.appendChild(drawn("rect", { x: left + index * size, y: bottom + 12, width: size - 0.6, height: 36, "class": "back" }));
      var high = Math.max(1, cost / LANES * 36);
      column.appendChild(drawn("rect", { x: left + index * size, y: bottom + 48 - high, width: size - 0.6, height: high, "class": kind }));
      column.addEventListener("click", function () { choose(index); });
      grid.appendChild(column);
      return column;
    });
    [0, 8, 16, 24, 31].forEach(function (lane) {
      grid.appendChild(words(left - 4, lane * tall + 7, lane, "end"));
    });
    grid.appendChild(words(left - 4, bottom + 20, LANES, "end"));
    grid.appendChild(words(left - 4, bottom + 48, 0, "end"));
    grid.appendChild(words(left, bottom + 64, "rows: lanes; columns: steps; bars: sectors or passes"));
    var frame = drawn("rect", { y: -0.3, width: size, height: bottom + 49, "class": "chosen" });
    grid.appendChild(frame);

    var controls = element("div", "controls");
    var back = element("button", "", "◀");
    var next = element("button", "", "▶");
    back.type = next.type = "button";
    back.setAttribute("aria-label", "step back");
    next.setAttribute("aria-label", "next step");
    var stepLabel = element("label", "", "Step ");
    var output = element("output");
    var slider = element("input");
    slider.type = "range";
    slider.min = "1";
    slider.max = String(steps.length);
    stepLabel.append(output, slider);
    controls.append(back, stepLabel, next);
    back.addEventListener("click", function () { choose(Math.max(0, chosen - 1)); });
    next.addEventListener("click", function () { choose(Math.min(steps.length - 1, chosen + 1)); });
    slider.addEventListener("input", function () { choose(Number(slider.value) - 1); });

    var list = element("ul", "lines");
    var buttons = new Map();
    stage.lines.forEach(function (line) {
      var number = line.number;
      var here = steps.filter(function (step) { return step.line === number; });
      if (here.length === 0) return;
      var button = element("button");
      button.type = "button";
      button.setAttribute("aria-pressed", "false");
      button.append(element("span", "swatch " + line.kind), element("code", "", line.text));
      var cost = here.reduce(function (sum, step) { return sum + unitsOf(step, line.kind); }, 0);
      button.append(element("small", "", line.place + ", " + KINDS[line.kind].name + ". Here: " +
        plural(here.length, "request", "requests") + ", " + unitName(line.kind, cost) + ". In the whole trace: " +
        plural(line.requests, "request", "requests") + ", " + unitName(line.kind, line.units) + "."));
      button.addEventListener("click", function () {
        marked = marked === number ? null : number;
        if (marked !== null && steps[chosen].line !== number) chosen = steps.indexOf(here[0]);
        choose(chosen);
      });
      var item = element("li");
      item.appendChild(button);
      list.appendChild(item);
      buttons.set(number, button);
    });

    var detail = element("div", "detail");
    var result = element("p");
    result.setAttribute("aria-live", "polite");
    function choose(index) {
      chosen = index;
      var step = steps[index];
      var kind = kindOf(step);
      slider.value = String(index + 1);
      output.textContent = index + 1 + " of " + steps.length;
      frame.setAttribute("x", String(left + index * size - 0.3));
      columns.forEach(function (column, place) {
        column.classList.toggle("dim", marked !== null && steps[place].line !== marked);
      });
      buttons.forEach(function (button, number) {
        button.classList.toggle("now", number === step.line);
        button.setAttribute("aria-pressed", String(number === marked));
      });
      result.textContent = said(step, kind);
      detail.replaceChildren(KINDS[kind].memory === "global" ? drawSectors(step, kind) : drawBanks(step, kind));
    }
    choose(0);
    return [grid, controls, result, detail, list];
  }

  document.querySelectorAll("[data-warps]").forEach(function (part) {
    var data = JSON.parse(part.querySelector("script").textContent);
    var names = [];
    Object.keys(data.stages).forEach(function (stage) {
      data.stages[stage].scenes.forEach(function (scene) {
        names.push({ value: stage + " " + scene.name, text: stage.split("/")[1] + ": " + scene.title });
      });
    });
    var sides = element("div", "sides");
    data.shown.forEach(function (shown) { sides.appendChild(panel(data, shown, names)); });
    var table = part.querySelector(".as-table");
    var folded = element("details");
    folded.append(element("summary", "", "The same as a table"), table);
    part.append(sides, folded);
  });
})();
