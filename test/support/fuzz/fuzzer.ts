import type { Credentials } from '../http.js'
import type { Checker, FuzzAnswer } from './checker.js'
import { asCommand, encode } from './encode.js'
import { type FuzzedOperation, operationAt } from './operations.js'
import type { CallerName, FuzzedRequest } from './requests.js'

/** What the requests are about, and who sends them. */
interface FuzzScene {
  readonly url: string
  credentialsOf(caller: CallerName, operation: string): Promise<Credentials | null>
  /** Parameters of a request that the operation accepts; `round` makes names new. */
  honest(operation: string, round: number): Readonly<Record<string, unknown>>
}

const honestly: FuzzedRequest = { caller: 'owner', changes: [], encoding: 'form', method: '', file: 'picture' }
// A request for events waits as long as there are none.
const waitMs = 1000
const ends = /^(archive|deactivate|delete|remove)_/
const mostKnown = 5
// The server closes the connection of a longer one, maybe before the client has sent it; test/http has these.
const mostHead = 60_000

/** Sends requests, follows the links of the document to values that exist, and collects how the server answers. */
export class Fuzzer {
  calls = 0
  accepted = 0
  readonly acceptedOperations = new Set<string>()
  /** Values of answers by the parameter that takes them. */
  private readonly known = new Map<string, unknown[]>()
  private readonly sources = new Map<string, FuzzedOperation>()

  constructor(
    private readonly operations: readonly FuzzedOperation[],
    private readonly checker: Checker,
    private readonly scene: FuzzScene,
  ) {
    for (const operation of operations)
      for (const { parameter } of operation.links) this.sources.set(parameter, operation)
  }

  /** @throws {Error} if the answer is not one of those in the document. */
  async send(operation: FuzzedOperation, request: FuzzedRequest): Promise<void> {
    for (const { name } of operation.parameters) await this.makeKnown(name, operation)
    const { url } = this.scene
    const who = await this.scene.credentialsOf(request.caller, operation.id)
    const sent = encode(operation, request, this.honest(operation), who)
    if (sent.path.length + sent.query.length > mostHead) return
    this.calls++
    const command = asCommand(url, request.caller, sent)
    const answer = await answerOf(url, sent, operation.id).catch(error => {
      throw new Error(`${error.message}\n${command}`, { cause: error })
    })
    if (!answer) return
    const target = operationAt(this.operations, sent.method, sent.path)
    const problems = this.checker.problemsOf(target, answer, sent.method)
    if (problems.length > 0) throw new Error([...problems, command].join('\n'))
    if (target && answer.status < 400) this.take(target, request, answer)
  }

  /** Asks for a value that the parameter takes, if an operation answers with one. */
  private async makeKnown(parameter: string, { id }: FuzzedOperation): Promise<void> {
    const source = this.sources.get(parameter)
    if (!source || source.id === id || (this.known.get(parameter)?.length ?? 0) > 0) return
    await this.send(source, { ...honestly, method: source.method })
  }

  private honest({ id, parameters }: FuzzedOperation): Record<string, unknown> {
    const values = { ...this.scene.honest(id, this.calls) }
    for (const { name } of parameters) {
      const known = this.known.get(name) ?? []
      const isUsed = known.length > 0 && (ends.test(id) || this.calls % 2 === 0)
      if (isUsed) values[name] = ends.test(id) ? known.pop() : known.at(-1)
      // The document has one path for operations that differ in the form of an id.
      values[name] ??= values[name.split('_or_')[0] ?? '']
      if (values[name] === undefined) delete values[name]
    }
    return values
  }

  private take(operation: FuzzedOperation, { caller }: FuzzedRequest, { text }: FuzzAnswer): void {
    this.accepted++
    this.acceptedOperations.add(operation.id)
    if (caller !== 'owner') return
    for (const { parameter, keys } of operation.links) {
      const value = keys.reduce((of, key) => of?.[key], JSON.parse(text))
      if (value === undefined || value === null) continue
      this.known.set(parameter, [...(this.known.get(parameter) ?? []), value].slice(-mostKnown))
    }
  }
}

async function answerOf(
  url: string,
  { method, path, query, headers, body }: ReturnType<typeof encode>,
  operation: string,
): Promise<FuzzAnswer | undefined> {
  const waits = operation === 'get_events'
  try {
    const response = await fetch(`${url}/api/v1${path}${query}`, {
      method,
      headers,
      redirect: 'manual',
      ...(body !== undefined && { body }),
      ...(waits && { signal: AbortSignal.timeout(waitMs) }),
    })
    return { status: response.status, contentType: response.headers.get('content-type'), text: await response.text() }
  } catch (error) {
    if (waits && error instanceof Error && error.name === 'TimeoutError') return undefined
    throw new Error(`no answer: ${error instanceof Error ? (error.cause ?? error) : error}`, { cause: error })
  }
}
