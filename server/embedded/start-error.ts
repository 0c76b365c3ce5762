/** Something on this machine keeps the server from starting: `message` is one sentence for the person who starts it. */
export class StartError extends Error {}
