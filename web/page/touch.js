// Touch screens: a stick and buttons press keys, and fingers on the canvas act as a mouse.

const isTouchScreen = matchMedia("(pointer: coarse)").matches;

if (isTouchScreen) {
    // A phone has as many pixels as a large screen, and less power. This lets the program draw as
    // many as it asks for: both are where it looks for the pixels of the screen.
    Object.defineProperty(window, "devicePixelRatio", { value: 1 });
    delete ResizeObserverEntry.prototype.devicePixelContentBoxSize;
}

// Adds to the page what the example's link asks for.
export function addTouch(canvas, link) {
    if (!isTouchScreen) return;
    actAsMouse(canvas);
    const { stick, buttons } = link?.dataset ?? {};
    const panel = document.querySelector("#touch");
    const press = (code, isDown) => {
        const type = isDown ? "keydown" : "keyup";
        canvas.dispatchEvent(new KeyboardEvent(type, { code, key: code }));
    };
    if (stick) panel.append(createStick(stick.split(" "), press));
    for (const [index, button] of (buttons?.split(" ") ?? []).entries()) {
        const [name, code] = button.split(":");
        panel.append(createButton(name, index, (isDown) => press(code, isDown)));
    }
    panel.hidden = !panel.children.length;
}

function createButton(name, index, press) {
    const button = document.createElement("button");
    button.textContent = name;
    button.style.setProperty("--index", index);
    followFinger(button, () => press(true), () => press(false));
    return button;
}

// A stick that presses up to two of its keys: left, right, down, up.
function createStick(codes, press) {
    const stick = document.createElement("div");
    const knob = document.createElement("div");
    stick.className = "stick";
    knob.className = "knob";
    stick.append(knob);
    let pressed = [false, false, false, false];
    const move = (x, y) => {
        const length = Math.hypot(x, y);
        const [right, down] = length < 0.25 ? [0, 0] : [x / length, y / length];
        // Eight directions of 45 degrees each: this is the sine of 22.5.
        const next = [-right, right, down, -down].map((component) => component > 0.383);
        codes.forEach((code, i) => next[i] !== pressed[i] && press(code, next[i]));
        pressed = next;
        const scale = 30 / Math.max(1, length);
        knob.style.transform = `translate(${x * scale}px, ${y * scale}px)`;
    };
    const follow = (event) => {
        const { left, top, width, height } = stick.getBoundingClientRect();
        const x = (event.clientX - left) / width;
        const y = (event.clientY - top) / height;
        move(2 * x - 1, 2 * y - 1);
    };
    followFinger(stick, follow, () => move(0, 0));
    return stick;
}

function followFinger(element, follow, release) {
    // The browser would move the focus away from the canvas.
    element.addEventListener("touchstart", (event) => event.preventDefault());
    element.addEventListener("pointerdown", follow);
    element.addEventListener("pointermove", follow);
    element.addEventListener("pointerup", release);
    element.addEventListener("pointercancel", release);
}

// The examples know no touch. A finger is a mouse with its left button down, which leaves the
// canvas where the finger is lifted.
function actAsMouse(canvas) {
    const mouseTypes = {
        pointerdown: ["pointerdown"],
        pointermove: ["pointermove"],
        pointerup: ["pointerup", "pointerout"],
        pointercancel: ["pointerup", "pointerout"],
    };
    const intercept = (event) => {
        if (event.pointerType !== "touch") return;
        event.stopImmediatePropagation();
        const { clientX, clientY, buttons } = event;
        const button = event.type === "pointermove" ? -1 : 0;
        const asMouse = { pointerType: "mouse", clientX, clientY, button, buttons };
        for (const type of mouseTypes[event.type]) {
            const pretended = new PointerEvent(type, asMouse);
            // Bevy reads positions from this list, which is empty in events of scripts.
            pretended.getCoalescedEvents = () => [pretended];
            canvas.dispatchEvent(pretended);
        }
    };
    Object.keys(mouseTypes).forEach((type) => canvas.addEventListener(type, intercept, true));
}
