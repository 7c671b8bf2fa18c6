// Shows the example that the address names: loads the program, and fits its canvas into the page.

import { addTouch } from "./touch.js";
import init from "./examples.js";

const bar = document.querySelector("progress");
const message = document.querySelector("#message");
const room = document.querySelector("main");

stopClockWhileHidden();
leaveKeysToBrowser();
const link = findLink();
new MutationObserver(adoptCanvas).observe(document.body, { childList: true });
start().catch((error) => {
    bar.hidden = true;
    message.textContent = error.message ?? error;
    console.error(error);
});

// The link to the example that is shown, which is marked. `null` for one without a link.
function findLink() {
    const name = new URLSearchParams(location.search).get("example") ?? "firewheel";
    const link = document.querySelector(`nav a[href="?example=${CSS.escape(name)}"]`);
    link?.setAttribute("aria-current", "page");
    link?.scrollIntoView({ inline: "center" });
    document.title = `${link?.textContent ?? name} | bevy_thud`;
    document.querySelector("#keys").textContent = link?.dataset.keys ?? "";
    return link;
}

async function start() {
    if (!document.createElement("canvas").getContext("webgl2")) {
        throw Error("The examples draw with WebGL 2, which this browser does not have.");
    }
    const response = await fetch("examples_bg.wasm");
    if (!response.ok) {
        throw Error(`The program cannot be loaded: ${response.status} ${response.statusText}`);
    }
    await init({ module_or_path: countBytes(response) });
    // Until the first picture nobody knows how long it takes.
    bar.removeAttribute("value");
}

// Moves the bar while the program is loaded. It is compiled meanwhile.
function countBytes(response) {
    let loaded = 0;
    const counted = new TransformStream({
        transform(chunk, controller) {
            loaded += chunk.length;
            bar.value = loaded;
            controller.enqueue(chunk);
        },
    });
    const headers = { "Content-Type": "application/wasm" };
    return new Response(response.body.pipeThrough(counted), { headers });
}

// Bevy appends its canvas to the body.
function adoptCanvas(_, observer) {
    const canvas = document.querySelector("canvas");
    if (!canvas) return;
    observer.disconnect();
    document.querySelector("#loading").remove();
    const observers = new ResizeObserver(() => fit(canvas));
    observers.observe(room);
    observers.observe(canvas);
    canvas.setAttribute("aria-label", document.title);
    canvas.focus();
    addTouch(canvas, link);
}

// Scales the canvas instead of resizing it: an example shows as much of its world on each screen.
function fit(canvas) {
    const { left, top, width, height } = room.getBoundingClientRect();
    const scale = Math.min(width / canvas.offsetWidth, height / canvas.offsetHeight);
    const x = left + (width - scale * canvas.offsetWidth) / 2;
    const y = top + (height - scale * canvas.offsetHeight) / 2;
    canvas.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}

// The program reads its time from here. While the tab is hidden none passes, so nothing moves and
// nothing has to be caught up with.
function stopClockWhileHidden() {
    const now = performance.now.bind(performance);
    let hiddenTime = 0;
    let hiddenSince = document.hidden ? now() : null;
    document.addEventListener("visibilitychange", () => {
        if (document.hidden) {
            hiddenSince ??= now();
        } else if (hiddenSince !== null) {
            hiddenTime += now() - hiddenSince;
            hiddenSince = null;
        }
    });
    performance.now = () => (hiddenSince ?? now()) - hiddenTime;
}

// The canvas takes all keys, so that none scrolls the page. These are not for games: Tab leaves the
// canvas, and F5 reloads.
function leaveKeysToBrowser() {
    const isForBrowser = ({ key, metaKey }) => metaKey || key === "Tab" || /^F\d+$/.test(key);
    const keep = (event) => isForBrowser(event) && event.stopPropagation();
    addEventListener("keydown", keep, true);
    addEventListener("keyup", keep, true);
}
