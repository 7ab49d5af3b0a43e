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
  document.querySelectorAll("[data-prediction]").forEach(prepare);
})();
