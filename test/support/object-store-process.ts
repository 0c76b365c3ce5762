// An S3-compatible server in a process of its own: s3rver, and operations that it lacks or whose signature it expects to be another. Arguments: its
// directory, its port (0: any), the name of its bucket.

import { readdir, readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import S3rver, { type Context } from '@20minutes/s3rver'

const [directory = '', port = '0', bucket = ''] = process.argv.slice(2)

const uploadsOf = ({ store }: Context) => store.getResourcePath(bucket, undefined, 'uploads')

async function listUploads(context: Context): Promise<void> {
  const folder = uploadsOf(context)
  const ids = await readdir(folder).catch(() => [])
  const items = ids.map(async id => {
    const file = join(folder, id, 'key')
    const [key, { mtime }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
    return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${mtime.toISOString()}</Initiated></Upload>`
  })
  context.status = 200
  context.type = 'application/xml'
  context.body = `<ListMultipartUploadsResult>${(await Promise.all(items)).join('')}</ListMultipartUploadsResult>`
}

/** Whether the bucket has objects; a page has one of them. */
async function listObjects(context: Context): Promise<void> {
  const { objects } = await context.store.listObjects(bucket, { maxKeys: 1 })
  const contents = objects.map(({ key }) => `<Contents><Key>${key}</Key></Contents>`)
  context.status = 200
  context.type = 'application/xml'
  context.body = `<ListBucketResult>${contents.join('')}</ListBucketResult>`
}

async function abortUpload(context: Context, id: string): Promise<void> {
  await rm(join(uploadsOf(context), id), { recursive: true })
  context.status = 204
}

const server = new S3rver({
  address: '127.0.0.1',
  port: Number(port),
  silent: true,
  directory,
  vhostBuckets: false,
  configureBuckets: [{ name: bucket }],
})
server.middleware.unshift(async (context, next) => {
  // Not verified: for the address of a bucket it expects another signature than the one of the protocol.
  if (context.method === 'GET' && 'uploads' in context.query) return listUploads(context)
  if (context.method === 'GET' && 'list-type' in context.query) return listObjects(context)
  try {
    await next()
  } catch (error) {
    // It refuses what it lacks only after it has verified the signature and found the bucket.
    const isAbort = context.method === 'DELETE' && context.query.uploadId !== undefined
    if (!isAbort || (error as { code?: string }).code !== 'MethodNotAllowed') throw error
    await abortUpload(context, context.query.uploadId ?? '')
  }
})
const { port: listening } = await server.run()
process.send?.(listening)
