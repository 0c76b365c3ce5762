import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ExportedMessage, exportedMessages } from '../../store/exports/exported-messages.js'
import { type ArchivePart, type ArchivePlace, type ExportWork, wholeFile } from './archive-part.js'
import { JsonRows } from './json-rows.js'
import { ReceivedRows } from './received-rows.js'

// Of a file: the number of messages is that of the format. The characters bound the memory of a worker.
const mostMessages = 1000
const mostCharacters = 4_000_000
// Files of a part: a worker that takes over an export begins with the part that was not finished.
const filesTogether = 20
// Further names of clients are not told apart.
const mostClients = 1000
// Characters of rows that are made in one turn of the event loop.
const charactersAtOnce = 200_000

/** Some files of messages, with what became of each message at its receivers. */
export function messagePart(work: ExportWork, place: ArchivePlace): ArchivePart {
  const files = new MessageFiles(work, place)
  return { pieces: files.pieces(), head: () => new Uint8Array(), next: () => files.next }
}

class MessageFiles {
  next: ArchivePlace
  private readonly clients: string[]
  private readonly messages = new JsonRows()
  private readonly rows = new JsonRows()
  private characters = 0

  constructor(
    private readonly work: ExportWork,
    place: ArchivePlace,
  ) {
    this.next = place
    this.clients = [...place.clients]
  }

  async *pieces(): AsyncGenerator<string | Uint8Array> {
    const { ctx, scope } = this.work
    const lastFile = this.next.file + filesTogether
    for await (const batch of exportedMessages(ctx.sql, scope, Math.max(this.next.after, scope.since))) {
      const received = await ReceivedRows.of(ctx.sql, batch, scope.accounts)
      for (const message of batch) {
        await this.add(message, received)
        if (this.messages.count < mostMessages && this.characters < mostCharacters) continue
        yield* this.file(message.id)
        if (this.next.file === lastFile) return
      }
    }
    if (this.messages.count > 0) yield* this.file(scope.cut)
    this.next = { ...this.next, step: 'attachments', after: 0 }
  }

  private async add(message: ExportedMessage, received: ReceivedRows): Promise<void> {
    let sinceTurn = 0
    this.keep(this.messages, `{"sending_client":${this.clientId(message.client)},${message.text.slice(1)}`)
    for (const row of received.of(message)) {
      this.keep(this.rows, row)
      sinceTurn += row.length
      if (sinceTurn < charactersAtOnce) continue
      sinceTurn = 0
      await nextTurn()
    }
  }

  private keep(rows: JsonRows, text: string): void {
    rows.add(text)
    this.characters += text.length
  }

  private clientId(name: string): number {
    const known = this.clients.indexOf(name)
    if (known >= 0) return known + 1
    if (this.clients.length < mostClients) this.clients.push(name)
    return this.clients.length
  }

  private *file(lastId: number): Iterable<string | Uint8Array> {
    const { file, messages } = this.next
    const name = `messages-${String(file + 1).padStart(6, '0')}.json`
    const contents = [
      '{"zerver_message": [\n',
      this.messages.bytes,
      '\n],\n"zerver_usermessage": [\n',
      this.rows.bytes,
      '\n]}\n',
    ]
    const after = { file: file + 1, messages: messages + this.messages.count, after: lastId, clients: this.clients }
    yield* wholeFile(this.work, name, contents)
    this.messages.clear()
    this.rows.clear()
    this.characters = 0
    this.next = { ...this.next, ...after }
  }
}
