import type { HttpResponse, HttpRequest as NativeRequest } from 'uWebSockets.js'
import { ApiError } from '../../../shared/errors.js'
import { auditFilter, storedFilter } from '../../api/audit-log/filter.js'
import { surchargeOf } from '../../limits/request-cost.js'
import { ParamReader } from '../../params/param-reader.js'
import { administrators } from '../../policies/allow.js'
import { type AuditFilter, type AuditRow, readAuditLog } from '../../store/organization/audit-log.js'
import { type Header, refusal } from '../answer.js'
import type { Connections } from '../connections.js'
import type { NativeRoutes } from '../native-routes.js'
import { writeHead, writeWhole } from '../write-answer.js'
import { callerOf } from './file-caller.js'
import { commonHeaders } from './file-headers.js'
import { FileRequest } from './file-request.js'
import { refuseFile } from './refuse-file.js'
import { sendChunks } from './send-chunks.js'

interface Form {
  readonly type: string
  readonly head: string
  line(row: AuditRow): string
}

const columns = ['id', 'time', 'actor_id', 'operator', 'operation', 'address', 'event', 'subject', 'before', 'after']

// A worker holds one page of each download.
const rowsPerPage = 500

const csv: Form = {
  type: 'text/csv; charset=utf-8',
  head: `${columns.join(',')}\r\n`,
  line: row => `${Object.values(fieldsOf(row)).map(cell).join(',')}\r\n`,
}
const jsonLines: Form = {
  type: 'application/jsonl; charset=utf-8',
  head: '',
  line: row => `${JSON.stringify(fieldsOf(row))}\n`,
}
const operation = 'download_audit_log'

/** Serves the audit log as a file, the newest entry first, with the filters of `get_audit_log`. */
export function addAuditLog(routes: NativeRoutes, connections: Connections): void {
  routes.any('/audit-log.csv', (res, req) => void run(connections, res, req, csv))
  routes.any('/audit-log.jsonl', (res, req) => void run(connections, res, req, jsonLines))
}

async function run(connections: Connections, res: HttpResponse, req: NativeRequest, form: Form): Promise<void> {
  const request = new FileRequest(connections, res, req)
  try {
    await send(connections, request, form)
  } catch (thrown) {
    const { ctx, ids } = connections
    refuseFile(request, refusal(ctx, thrown, { operation, codec: 'json', named: ids.named(request) }))
  }
}

async function send(connections: Connections, request: FileRequest, form: Form): Promise<void> {
  const { ctx } = connections
  if (!request.isRead) {
    throw new ApiError('METHOD_NOT_ALLOWED', 'This is read: GET or HEAD.', { allowed_methods: ['GET', 'HEAD'] })
  }
  const user = await callerOf(connections, request)
  if (!user) throw new ApiError('UNAUTHORIZED', 'Not logged in: API authentication or user session required')
  administrators({ user })
  const { params } = new ParamReader({ operation, params: auditFilter }, []).read(new Map(request.query), [])
  const filter = storedFilter(auditFilter.parse(params))
  const headers: Header[] = [
    ...commonHeaders,
    ['Content-Type', form.type],
    ['Content-Disposition', `attachment; filename="audit-log${form === csv ? '.csv' : '.jsonl'}"`],
    ['Cache-Control', 'no-store'],
  ]
  if (request.method === 'HEAD') {
    writeWhole(request.res, 200, { headers, ending: { isHead: true, closes: false } })
    return
  }
  await ctx.workLimits.downloads.run(request.charges.reader, async () => {
    const pages = pagesOf(connections, request, { filter, form })
    // The first page is read before the head is written: a database that fails then is an answer.
    const first = await pages.next()
    if (request.isGone) return
    request.res.cork(() => writeHead(request.res, 200, headers))
    await sendChunks(request, joined(first.value, pages), undefined)
  })
}

async function* joined(first: Buffer | undefined, rest: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
  if (first) yield first
  yield* rest
}

/** Each page is a read for the limits. */
async function* pagesOf(
  { ctx }: Connections,
  request: FileRequest,
  { filter, form }: { readonly filter: Omit<AuditFilter, 'before' | 'limit'>; readonly form: Form },
): AsyncGenerator<Buffer, undefined> {
  let before: number | undefined
  let { head } = form
  for (;;) {
    const rows = await readAuditLog(ctx.sql, { ...filter, before, limit: rowsPerPage })
    const page = Buffer.from(head + rows.map(row => form.line(row)).join(''))
    request.charges.surchargeRead(surchargeOf({ ms: 0, bytesIn: 0, bytesOut: page.length }))
    if (page.length > 0) yield page
    if (rows.length < rowsPerPage) return
    head = ''
    before = rows.at(-1)?.id
  }
}

function fieldsOf({ at, request_id: _, ...row }: AuditRow): Record<string, unknown> {
  const all: Record<string, unknown> = { ...row, time: at.toISOString() }
  return Object.fromEntries(columns.map(name => [name, all[name]]))
}

/** A cell as RFC 4180 writes it. A program for tables takes a text that begins with one of these characters for a formula, so it gets an apostrophe. */
function cell(value: unknown): string {
  if (value === null) return ''
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value)
  const plain = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
