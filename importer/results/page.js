(function () {
  "use strict";
  var box = document.getElementById("q");
  if (!box) return;
  var rows = Array.prototype.slice.call(document.querySelectorAll("#urgent tbody tr"));
  var said = document.getElementById("found");
  function search() {
    var words = box.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    rows.forEach(function (row) {
      var text = row.textContent.toLowerCase();
      var fits = words.every(function (w) { return text.indexOf(w) >= 0; });
      row.hidden = !fits;
      if (fits) shown++;
    });
    said.textContent = words.length ? shown + " of " + rows.length + " rows" : "";
  }
  var asked = /^#q=(.*)$/.exec(location.hash);
  if (asked) box.value = decodeURIComponent(asked[1]);
  box.addEventListener("input", search);
  search();
})();
