import { t } from '../../../../language/language.js'
import { refusalText } from '../../../../language/refusal-text.js'

// One request; a connection that breaks loses no more.
const pieceBytes = 8 * 1024 * 1024
const pauseMs = 2000
const attempts = 30

const tus = { 'Tus-Resumable': '1.0.0' }

interface Sending {
  readonly file: File
  /** How much has been sent, from 0 to 1. */
  progress(sent: number): void
  readonly signal: AbortSignal
}

/**
 * Uploads a file in pieces, and goes on where it was when the connection breaks; returns what follows `/user_uploads/` in its address.
 * @throws {Error} with a sentence for people
 */
export async function sendArchive({ file, progress, signal }: Sending): Promise<string> {
  const address = await begin(file, signal)
  let failures = 0
  for (let at = 0; at < file.size; ) {
    progress(at / file.size)
    try {
      at = await sendPiece(address, file, at, signal)
      failures = 0
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof Refused || ++failures >= attempts) throw error
      await new Promise(resolve => setTimeout(resolve, pauseMs))
      at = (await offsetOf(address, signal)) ?? at
    }
  }
  progress(1)
  return address.slice('/api/v1/tus/'.length)
}

/** The server does not take the file: another attempt would be refused, too. */
class Refused extends Error {}

async function begin(file: File, signal: AbortSignal): Promise<string> {
  const name = btoa(String.fromCharCode(...new TextEncoder().encode(file.name.slice(-100))))
  const answer = await ask('/api/v1/tus/', {
    method: 'POST',
    headers: { ...tus, 'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${name}` },
    signal,
  })
  return new URL(answer.headers.get('location') ?? '').pathname
}

async function sendPiece(address: string, file: File, at: number, signal: AbortSignal): Promise<number> {
  const answer = await ask(address, {
    method: 'PATCH',
    headers: { ...tus, 'Upload-Offset': String(at), 'Content-Type': 'application/offset+octet-stream' },
    body: file.slice(at, at + pieceBytes),
    signal,
  })
  return Number(answer.headers.get('Upload-Offset'))
}

/** Undefined: the server cannot be reached. */
async function offsetOf(address: string, signal: AbortSignal): Promise<number | undefined> {
  try {
    return Number((await ask(address, { method: 'HEAD', headers: tus, signal })).headers.get('Upload-Offset'))
  } catch (error) {
    if (error instanceof Refused) throw error
    return undefined
  }
}

/** @throws {Refused} {Error} the connection broke, or another request sends the file */
async function ask(path: string, request: RequestInit): Promise<Response> {
  const answer = await fetch(path, request).catch(() => {
    throw new Error(t('composer.connectionBroke'))
  })
  if (answer.ok) return answer
  const { code, msg } = (await answer.json().catch(() => ({}))) as { code?: string; msg?: string }
  const text = refusalText(code, msg || t('signIn.answered', answer.status))
  // Locked, at another place than this page thinks, or on a server that starts.
  throw [409, 423, 429].includes(answer.status) || answer.status >= 500 ? new Error(text) : new Refused(text)
}
