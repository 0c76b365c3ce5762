/** The server cannot start on this machine; `message` is one sentence for the operator. */
export class StartError extends Error {}
