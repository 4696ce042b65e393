'use strict';
// Draws the curves of the page from the JSON in #data. Without it the tables remain.
(() => {
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById('data').textContent);
  const charts = [];
  const color = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  // A mean in which newer points weigh more, without the pull of its start to zero.
  function smooth(values) {
    const keep = 1 - 1 / Math.max(2, values.length / 80);
    let sum = 0;
    let weight = 0;
    return values.map((value) => {
      if (value === null) return null;
      sum = keep * sum + (1 - keep) * value;
      weight = keep * weight + (1 - keep);
      return sum / weight;
    });
  }

  const points = (x, y) => x.map((at, i) => ({x: at, y: y[i]}));
  const short = (value) => Math.abs(value) >= 1e-3 || value === 0
    ? value.toLocaleString('en', {maximumSignificantDigits: 4})
    : value.toExponential(1);

  function curve(label, x, y, style) {
    const few = x.length < 40;
    return {
      label, clip: false, data: points(x, y), borderColor: style.color, backgroundColor: style.color,
      borderWidth: style.width || 2, borderDash: style.dash || [], tension: 0,
      pointRadius: style.dots || (few && !style.dash) ? 2.5 : 0, pointHitRadius: 8,
      pointStyle: style.shape || 'circle',
    };
  }

  function options(yTitle, format, extra) {
    const grid = {color: color('--grid')};
    const ticks = {color: color('--soft')};
    return {
      animation: false, responsive: true, maintainAspectRatio: false, normalized: true,
      interaction: {mode: 'nearest', axis: 'x', intersect: false},
      scales: {
        x: {
          type: 'linear', grid, min: 0, max: data.x_max || undefined,
          title: {display: true, text: data.x_title, color: color('--soft')},
          ticks: {...ticks, maxTicksLimit: 11, callback: short},
        },
        y: {
          grid, title: {display: true, text: yTitle, color: color('--soft')},
          ticks: {...ticks, callback: format, maxTicksLimit: 8}, ...(extra || {}),
        },
      },
      plugins: {
        legend: {
          labels: {
            color: color('--ink'), boxWidth: 14, boxHeight: 2, filter: (item) => item.text !== '',
          },
        },
        tooltip: {
          filter: (item) => item.dataset.label !== '',
          callbacks: {
            title: (items) => items.length ? `${data.x_title} ${short(items[0].parsed.x)}` : '',
            label: (item) => `${item.dataset.label}: ${format(item.parsed.y)}`,
          },
        },
      },
    };
  }

  function draw(id, type, datasets, settings, labels) {
    const canvas = document.getElementById(id);
    const empty = datasets.every((set) => set.data.length === 0);
    canvas.closest('section').hidden = empty;
    if (!empty) charts.push(new Chart(canvas, {type, data: {labels, datasets}, options: settings}));
  }

  function drawLines() {
    const {steps, epochs, evaluations} = data;
    const train = color('--train');
    const evaluation = color('--eval');
    const percent = (value) => `${short(100 * value)} %`;
    const shape = {color: evaluation, dots: true, shape: 'rectRot'};

    const loss = [curve('train, smoothed', steps.x, smooth(steps.loss), {color: train})];
    if (steps.x.length >= 40) {
      loss.push(curve('', steps.x, steps.loss, {color: train + '40', width: 1}));
    }
    if (evaluations.x.length) {
      loss.push(curve('test', evaluations.x, evaluations.loss, shape));
    }
    draw('loss', 'line', loss, options('loss', short));

    const accuracy = [curve('train (augmented)', epochs.x, epochs.accuracy, {color: train, dots: true})];
    if (evaluations.x.length) {
      accuracy.push(curve('test', evaluations.x, evaluations.accuracy, shape));
    }
    if (data.target !== null && epochs.x.length) {
      accuracy.push(curve('target', [0, data.x_max], [data.target, data.target],
        {color: color('--good'), dash: [6, 4], width: 1.5}));
    }
    draw('accuracy', 'line', accuracy, options('accuracy', percent));

    draw('rate', 'line', [curve('learning rate', steps.x, steps.learning_rate, {color: train})],
      options('learning rate', short, {beginAtZero: true}));

    const speed = [curve('training, smoothed', steps.x, smooth(steps.speed), {color: train})];
    if (steps.x.length >= 40) speed.push(curve('', steps.x, steps.speed, {color: train + '40', width: 1}));
    draw('speed', 'line', speed, options('samples per second', short, {beginAtZero: true}));
  }

  function drawParts() {
    const {names, bars, labels} = data.parts;
    const settings = options('seconds', short, {beginAtZero: true, stacked: true});
    settings.scales.x = {
      ...settings.scales.x, type: 'category', stacked: true, min: undefined, max: undefined,
      grid: {display: false}, title: {display: true, text: 'epoch', color: color('--soft')},
      ticks: {color: color('--soft'), maxRotation: 0, autoSkip: true},
    };
    settings.interaction = {mode: 'index', intersect: false};
    settings.plugins.legend.labels = {color: color('--ink'), boxWidth: 12, boxHeight: 12};
    settings.plugins.tooltip.callbacks.title = (items) =>
      items.length ? `epoch ${items[0].label}` : '';
    settings.plugins.tooltip.callbacks.label = (item) =>
      `${item.dataset.label}: ${item.parsed.y.toFixed(2)} s`;
    const used = names.map((_, i) => i).filter((i) => bars[i].some((value) => value > 0));
    draw('parts', 'bar', used.map((i) => ({
      label: names[i], data: bars[i], backgroundColor: color(`--part-${i}`), maxBarThickness: 60,
    })), settings, labels);
  }

  function drawAll() {
    while (charts.length) charts.pop().destroy();
    drawLines();
    drawParts();
    root.dataset.charts = String(charts.length);
  }

  window.addEventListener('error', (event) => { root.dataset.error = event.message; });
  root.classList.add('drawn');
  Chart.defaults.font.family = 'system-ui, sans-serif';
  drawAll();
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', drawAll);
})();
