import type { HttpRequest, HttpResponse } from 'uWebSockets.js'
import { ApiError } from '../../shared/errors.js'
import { CallerCharges } from '../limits/caller-charges.js'
import { exposition, expositionType } from '../metrics/exposition.js'
import { families } from '../metrics/families.js'
import type { MachineReadings } from '../metrics/machine.js'
import type { Header } from './answer.js'
import type { Connections } from './connections.js'
import { MonitorGate } from './monitor-gate.js'
import type { NativeRoutes } from './native-routes.js'
import { writeWhole } from './write-answer.js'

/** Whether one part of a worker works; otherwise the reason. */
export interface PartState {
  readonly ok: boolean
  readonly reason?: string
}

export interface Readiness {
  /** `degraded`: clients can be served; only files cannot be. */
  readonly status: 'ready' | 'degraded' | 'not ready'
  readonly parts: Readonly<Record<'server' | 'postgres' | 'redis' | 'feed' | 'files', PartState>>
}

/** The sources of monitoring data. */
export interface Monitor {
  /** The readiness of this worker; does not wait. */
  readiness(): Readiness
  /** @throws when the supervisor does not answer in time. */
  machine(): Promise<MachineReadings>
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string
  readonly headers?: readonly Header[]
}

const json = 'application/json'
const bounds = Object.fromEntries(
  Object.entries(families).flatMap(([name, family]) => (family.bounds.length > 0 ? [[name, family.bounds]] : [])),
)

/**
 * Serves `/health/live` and `/health/ready` for process managers and load balancers, `/metrics` for Prometheus, and `/status/data` for the
 * status page. They are not operations and do not use the envelope of operations.
 */
export function addMonitoring(routes: NativeRoutes, connections: Connections, monitor: Monitor): void {
  const gate = new MonitorGate(connections)
  // Open to all clients: the answers reveal only whether this worker works, and cost less than a refusal.
  serve(routes, '/health/live', connections, () => jsonAnswer(200, { status: 'live' }))
  serve(routes, '/health/ready', connections, () => {
    const readiness = monitor.readiness()
    return jsonAnswer(readiness.status === 'not ready' ? 503 : 200, readiness)
  })
  serve(routes, '/metrics', connections, async caller => {
    await gate.admitToMetrics(caller.authorization, caller.charges)
    return { status: 200, type: expositionType, body: await exposition(await monitor.machine()) }
  })
  serve(routes, '/status/data', connections, async caller => {
    await gate.admitAdministrator(caller.authorization, caller.charges, caller.cookie)
    return jsonAnswer(200, { time: Date.now(), bounds, ...(await monitor.machine()) })
  })
}

const jsonAnswer = (status: number, value: object): Answer => ({ status, type: json, body: JSON.stringify(value) })

/** Credentials of a request, and what wrong ones count against. */
interface Caller {
  readonly authorization: string
  readonly cookie: string
  readonly charges: CallerCharges
}

type Answering = (caller: Caller) => Answer | Promise<Answer>

function serve(routes: NativeRoutes, path: string, connections: Connections, answer: Answering): void {
  routes.any(path, (res, req) => void respond(res, req, { connections, path, answer }))
}

async function respond(
  res: HttpResponse,
  req: HttpRequest,
  {
    connections,
    path,
    answer,
  }: { readonly connections: Connections; readonly path: string; readonly answer: Answering },
): Promise<void> {
  // uWebSockets frees the native request when this function first waits.
  const method = req.getCaseSensitiveMethod()
  const address = connections.addresses.of(
    res,
    connections.addresses.isForwarded(res) ? req.getHeader('x-forwarded-for') : '',
  )
  const charges = new CallerCharges(connections.limits, { address })
  const caller = { authorization: req.getHeader('authorization'), cookie: req.getHeader('cookie'), charges }
  const isRead = method === 'GET' || method === 'HEAD'
  let isGone = false
  res.onAborted(() => {
    isGone = true
  })
  const outcome = isRead ? await attempt(connections, path, () => answer(caller)) : wrongMethod
  if (isGone) return
  const { status, type, body, headers = [] } = outcome
  const ending = { isHead: method === 'HEAD', closes: connections.isStopping }
  writeWhole(res, status, { headers: [['Content-Type', type], ...common, ...headers], body, ending })
}

const common: readonly Header[] = [
  ['Cache-Control', 'no-store'],
  ['X-Content-Type-Options', 'nosniff'],
]

const wrongMethod: Answer = {
  ...jsonAnswer(405, { result: 'error', code: 'METHOD_NOT_ALLOWED', msg: 'This path is read: GET or HEAD.' }),
  headers: [['Allow', 'GET, HEAD']],
}

/** Turns an error into an answer; only unexpected errors are logged. */
async function attempt({ ctx }: Connections, path: string, answer: () => Answer | Promise<Answer>): Promise<Answer> {
  try {
    return await answer()
  } catch (error) {
    if (error instanceof ApiError) return { ...jsonAnswer(error.status, error.body()), headers: challenge(error) }
    ctx.log.warn({ err: error, path }, 'the metrics could not be written')
    const body = { result: 'error', code: 'SERVER_NOT_READY', msg: 'The figures of all workers did not come in time.' }
    return { ...jsonAnswer(503, body), headers: [['Retry-After', '1']] }
  }
}

/** Not `Basic`: the browser would open its own password dialog over the status page, which has a form. */
const challenge = ({ code }: ApiError): readonly Header[] =>
  code === 'UNAUTHORIZED' ? [['WWW-Authenticate', 'Bearer realm="monitoring"']] : []
