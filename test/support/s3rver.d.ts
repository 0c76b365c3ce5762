// What the tests use of @20minutes/s3rver, which has no types.
declare module '@20minutes/s3rver' {
  import type { IncomingMessage, ServerResponse } from 'node:http'

  export interface Context {
    readonly method: string
    readonly path: string
    readonly query: Readonly<Record<string, string | undefined>>
    status: number
    type: string
    body: unknown
    readonly store: {
      getResourcePath(bucket: string, key: string | undefined, resource: string): string
      listObjects(bucket: string, options: { maxKeys: number }): Promise<{ objects: readonly { key: string }[] }>
    }
  }
  export type Middleware = (context: Context, next: () => Promise<void>) => Promise<void>

  export default class S3rver {
    constructor(options: {
      address: string
      port: number
      silent: boolean
      directory: string
      vhostBuckets: boolean
      configureBuckets: readonly { name: string }[]
    })
    readonly middleware: Middleware[]
    run(): Promise<{ port: number }>
    callback(): (request: IncomingMessage, response: ServerResponse) => void
  }
}
