import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { S3Bucket } from './s3-bucket.js'
import type { SpoolFile } from './spool-file.js'

const requestMs = 10_000
const bodyMs = 60_000

/**
 * One object on its way into a bucket. Bytes are collected in a spool file and sent in parts of `partBytes`; a smaller object is sent at
 * once. Readers see the object only when `finish` has resolved.
 */
export class S3Upload {
  private id: string | undefined
  private readonly tags: string[] = []
  private size = 0

  constructor(
    private readonly bucket: S3Bucket,
    private readonly key: string,
    private readonly spool: SpoolFile,
    private readonly partBytes: number,
  ) {}

  /** @throws {StorageFailure} */
  async add(chunk: Uint8Array): Promise<void> {
    await this.spool.append(chunk)
    this.size += chunk.length
    if (this.spool.size >= this.partBytes) await this.sendPart()
  }

  /** Returns the size of the object in bytes. @throws {StorageFailure} */
  async finish(): Promise<number> {
    if (this.id === undefined) await this.put()
    else {
      if (this.spool.size > 0) await this.sendPart()
      await this.complete(this.id)
    }
    return this.size
  }

  /** Nothing of the object stays. If the store is away, `Storage.removeUnfinished` removes the parts later. */
  async abort(): Promise<void> {
    const { id, target } = this
    if (id === undefined) return
    await this.bucket
      .ask(requestMs, (client, abortSignal) =>
        client.send(new AbortMultipartUploadCommand({ ...target, UploadId: id }), { abortSignal }),
      )
      .catch(() => undefined)
  }

  private get target(): { Bucket: string; Key: string } {
    return { Bucket: this.bucket.name, Key: this.key }
  }

  private async put(): Promise<void> {
    const { target, spool } = this
    await this.bucket.ask(bodyMs, (client, abortSignal) =>
      client.send(new PutObjectCommand({ ...target, Body: spool.stream(), ContentLength: spool.size }), {
        abortSignal,
      }),
    )
  }

  private async sendPart(): Promise<void> {
    const { target, spool } = this
    this.id ??= await this.begin()
    const UploadId = this.id
    const PartNumber = this.tags.length + 1
    const tag = await this.bucket.ask(bodyMs, async (client, abortSignal) => {
      const part = { ...target, UploadId, PartNumber, Body: spool.stream(), ContentLength: spool.size }
      return needed((await client.send(new UploadPartCommand(part), { abortSignal })).ETag)
    })
    this.tags.push(tag)
    spool.empty()
  }

  private async begin(): Promise<string> {
    return this.bucket.ask(requestMs, async (client, abortSignal) =>
      needed((await client.send(new CreateMultipartUploadCommand(this.target), { abortSignal })).UploadId),
    )
  }

  private async complete(UploadId: string): Promise<void> {
    const Parts = this.tags.map((ETag, place) => ({ ETag, PartNumber: place + 1 }))
    await this.bucket.ask(bodyMs, (client, abortSignal) =>
      client.send(new CompleteMultipartUploadCommand({ ...this.target, UploadId, MultipartUpload: { Parts } }), {
        abortSignal,
      }),
    )
  }
}

function needed(value: string | undefined): string {
  if (value === undefined) throw new Error('the store of files answers without an identifier')
  return value
}
