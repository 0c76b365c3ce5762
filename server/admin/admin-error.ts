/** What the administrator asked for cannot be done: `message` is one sentence that says why. */
export class AdminError extends Error {}
