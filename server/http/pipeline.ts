import type { Creating } from '../api/route.js'
import type { Actor } from '../auth/actor.js'
import type { WorkerCtx } from '../ctx.js'
import { type FilePart, takeFiles } from '../params/file-part.js'
import type { SentBody } from '../params/sent-body.js'
import type { RequestSignal } from '../realtime/realtime.js'
import { admit, notLoggedIn, requireOpen } from './admission.js'
import type { Answer } from './answer.js'
import type { ApiRequest } from './api-request.js'
import { creatingAlways, creatingOnce } from './creating.js'
import { operationOf } from './router.js'
import { type PipelineDeps, Run } from './run.js'

/** A step throws what the request is refused with. It returns a promise only if it waits. */
type Step = (run: Run) => Promise<void> | undefined

/**
 * The steps of each request, over HTTP and over sockets, in the order of docs/protocol/conventions.md#order-of-checks. The operation
 * itself then checks permissions on single objects, and whether they exist.
 */
const steps: readonly Step[] = [receive, route, admitCaller, waitForTurn, overrideMethod, authorize, decode, handle]

/** Runs a request. Never rejects. */
export function answerOf(deps: PipelineDeps, request: ApiRequest): Promise<Answer> {
  return new Promise(resolve => runRequest(deps, request, resolve))
}

/** Runs a request and calls `done` with its answer, synchronously if no step waits. */
export function runRequest(deps: PipelineDeps, request: ApiRequest, done: (answer: Answer) => void): void {
  advance(new Run(deps, request, done), 0)
}

/**
 * Takes the steps from `first` on. Only a step that waits costs a promise: with `await`, each of a thousand waiting polls would keep an
 * async frame.
 */
function advance(run: Run, first: number): void {
  run.resume()
  try {
    for (let next = first; next < steps.length; next++) {
      const waiting = (steps[next] as Step)(run)
      if (!waiting) continue
      advanceAfter(waiting, run, next + 1)
      break
    }
  } catch (thrown) {
    run.refuse(thrown)
  }
  run.pause()
}

/** A function of its own: closures inside the loop would cost an object for each step. */
function advanceAfter(waiting: Promise<void>, run: Run, next: number): void {
  waiting.then(
    () => advance(run, next),
    thrown => run.refuse(thrown),
  )
}

/** Copies the body. 400, 408, 413. */
function receive({ request }: Run): Promise<void> | undefined {
  return request.receive()
}

/** Finds the operation. 404, 405; they count against the client's network, because the caller is not authenticated yet. */
function route(run: Run): undefined {
  const { deps, request } = run
  run.begin()
  try {
    run.found = deps.router.find(request.path)
    if (!request.mayOverrideMethod) run.chosen = operationOf(run.found, request.method)
  } catch (thrown) {
    // The caller is not known.
    request.charge(null)
    throw thrown
  }
}

/** Finds the caller, and counts the request: `admit`. 401, 429. */
function admitCaller(run: Run): Promise<void> | undefined {
  const { deps, request, chosen, found } = run
  const ignoresCredentials = chosen ? chosen.route.allow === 'anyone' : found.isOpen
  if (ignoresCredentials) request.charge(null)
  const caller = ignoresCredentials ? null : admit(deps.keys, request)
  if (caller instanceof Promise) return caller.then(user => run.admit(user))
  run.admit(caller)
  return undefined
}

/** A large request waits until no other large one runs. 503. */
function waitForTurn(run: Run): Promise<void> | undefined {
  return run.deps.large.turnFor(run.request.bytes)?.then(end => {
    run.endTurn = end
  })
}

/**
 * Finds the operation of a request whose body may name the method; here, because only the bodies of counted callers are parsed. Does
 * not parse the body of a caller without an account if every operation of the path requires one. 401, 405.
 */
function overrideMethod(run: Run): undefined {
  const { deps, request, found, actor } = run
  run.gotTurn()
  if (run.chosen) {
    run.slot = deps.activity.begin(request.bytes, run.chosen.route.operation)
    return
  }
  run.slot = deps.activity.begin(request.bytes)
  if (!actor && found.isForAccounts) throw notLoggedIn()
  request.overrideMethod()
  run.chosen = operationOf(found, request.method)
  run.slot = deps.activity.name(run.slot, run.chosen.route.operation)
}

/** Decides whether the caller may use the operation at all. 401, 400 with a code of the role. */
function authorize({ actor, operation }: Run): undefined {
  requireOpen(actor, operation.route)
}

/** Decodes and checks the parameters. 400, 415. */
function decode(run: Run): undefined {
  const { reader, route } = run.operation
  const source = run.request.parameters()
  if (route.file === 'bytes') {
    run.files = takeFiles(source)
    // What follows is the work of another process, and may wait for it.
    run.endTurn?.()
  }
  if (route.redirects) run.sent = new Map(source)
  const { params, ignored } = reader.read(source, run.found.values)
  run.params = params
  run.ignored = ignored
}

/** Calls the operation; its result or its error becomes the answer. */
function handle(run: Run): undefined {
  const { deps, request, actor, operation } = run
  if (operation.route.isBranded) deps.brands.note(request.client)
  run.handling()
  run.tally = deps.slow.tallyFor(operation.route)
  const ctx = deps.scope.of(request, operation.route, actor, run.tally)
  const call = new OperationCall(ctx, run, run.takeParams())
  // The cast: the schema of the same route has read the parameters.
  operation.route.handle(call as never).then(
    fields => {
      const settled = deps.scope.settled(ctx)
      if (settled) void settled.then(() => run.succeed(fields))
      else run.succeed(fields)
    },
    thrown => run.refuse(thrown),
  )
}

/** The argument of an operation's `handle`. */
class OperationCall {
  private readonly request: ApiRequest

  constructor(
    readonly ctx: WorkerCtx,
    private readonly run: Run,
    readonly params: Record<string, unknown>,
  ) {
    this.request = run.request
  }

  get actor(): Actor | null {
    return this.run.actor
  }

  get files(): readonly FilePart[] {
    return this.run.files
  }

  get creating(): Creating {
    const { ctx, actor, params, files, run, body } = this
    const { route } = run.operation
    const given = route.creates && this.request.idempotencyKey
    if (!actor || given === undefined) return creatingAlways(ctx)
    return creatingOnce(ctx, { given, actor, route, params, files, bodyBytes: body?.length })
  }

  get signal(): RequestSignal {
    return this.request.signal
  }

  get client(): string {
    return this.request.client
  }

  get address(): string {
    return this.request.address
  }

  get isLocal(): boolean {
    return this.request.isLocal
  }

  get streamFrom(): string | undefined {
    return this.request.streamFrom
  }

  get body(): SentBody | undefined {
    return this.request.sentBody
  }
}
