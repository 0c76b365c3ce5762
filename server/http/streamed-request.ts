import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import type { SentBody } from '../params/sent-body.js'
import type { Header } from './answer.js'
import { BodyStream } from './body-stream.js'
import type { Connections, OpenRequest } from './connections.js'
import { FileRequest } from './files/file-request.js'
import { RequestHead } from './request-head.js'
import { writeWhole } from './write-answer.js'

/** What is read of a native request before it is freed, its body while it arrives, and its answer. */
export class StreamedRequest extends FileRequest implements OpenRequest {
  place = -1
  readonly head: RequestHead
  private readonly stream: BodyStream | undefined
  private isAnswered = false

  /** Must be created in the handler of the native request. */
  constructor(
    protected readonly connections: Connections,
    res: HttpResponse,
    req: NativeRequest,
  ) {
    super(connections, res, req)
    this.head = new RequestHead(req, connections.addresses.isForwarded(res))
    connections.requests.add(this)
    this.onGone = () => {
      this.stream?.abandon()
      if (this.isAnswered) this.leave()
    }
    if (this.head.hasBody) this.stream = new BodyStream(res, connections.bodies, connections.ctx.config.bodySeconds)
  }

  /** Ends the body where it is: the server stops after the bytes that have arrived are stored. */
  hurry(): void {
    this.stream?.destroy(new DOMException('The server is restarting.', 'AbortError'))
  }

  /** It has been read already. */
  noteAddress(): void {}

  private leave(): void {
    this.connections.requests.delete(this)
  }

  get body(): SentBody | undefined {
    const { stream, head } = this
    return stream && { type: head.contentType, length: head.isChunked ? undefined : Number(head.contentLength), stream }
  }

  /** Answers, after the rest of the body has been read or given up. */
  answer(status: number, headers: readonly Header[], json?: string): void {
    const { stream, head } = this
    this.isAnswered = true
    stream?.settle()
    const isCut = stream !== undefined && !stream.isComplete
    const write = () =>
      this.write(status, headers, json, isCut || head.isChunked || head.isAmbiguous || this.connections.isStopping)
    if (this.isGone) this.leave()
    else if (isCut) stream.discard(write)
    else write()
  }

  private write(status: number, headers: readonly Header[], json: string | undefined, closes: boolean): void {
    this.leave()
    this.isGone = true
    this.stream?.release()
    const typed = json === undefined ? headers : [...headers, ['Content-Type', 'application/json'] as const]
    writeWhole(this.res, status, { headers: typed, body: json, ending: { isHead: this.method === 'HEAD', closes } })
  }
}
