/* Slides have a fixed size: letters shrink until a slide's content fits, and the page is enlarged to the window. */
(function () {
  "use strict";
  var width = 1280;
  var height = 720;
  var narrow = 800;
  var largest = 40;
  var smallest = 14;
  var slides = Array.from(document.querySelectorAll(".slide"));
  function fit(slide) {
    for (var size = largest; size >= smallest; size--) {
      slide.style.setProperty("--letter", size + "px");
      if (slide.scrollHeight <= slide.clientHeight && slide.scrollWidth <= slide.clientWidth) return;
    }
  }
  function enlarge() {
    var box = document.querySelector(".slides");
    /* A phone shows them as a page. */
    var isNarrow = window.innerWidth <= narrow;
    box.style.zoom = isNarrow ? "" : String(Math.min(window.innerWidth / width, window.innerHeight / height));
  }
  function shown() {
    var tops = slides.map(function (slide) { return Math.abs(slide.getBoundingClientRect().top); });
    return tops.indexOf(Math.min.apply(null, tops));
  }
  var steps = { ArrowRight: 1, ArrowDown: 1, PageDown: 1, " ": 1, ArrowLeft: -1, ArrowUp: -1, PageUp: -1 };
  document.addEventListener("keydown", function (event) {
    var isOnChoice = event.target.closest && event.target.closest("summary, a");
    if (!(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey || (event.key === " " && isOnChoice)) return;
    var next = slides[shown() + steps[event.key]];
    if (next) next.scrollIntoView();
    event.preventDefault();
  });
  if (window.innerWidth > narrow) slides.forEach(fit);
  enlarge();
  window.addEventListener("resize", enlarge);
})();
