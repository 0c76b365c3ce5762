import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest()

/** What a test makes differently from a good authenticator, or from a good browser. */
export interface Deviation {
  readonly origin?: string
  readonly rpId?: string
  readonly type?: string
  /** The flags of the answer; 5: the user is there and was verified. */
  readonly flags?: number
  readonly counter?: number
}

/** An authenticator in software, with one credential (WebAuthn, ES256, attestation `none`). */
export class SoftPasskey {
  readonly id = randomBytes(16)
  counter = 0
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })

  constructor(
    private readonly rpId: string,
    private readonly origin: string,
  ) {}

  /** The answer to options of a server that wants a passkey. */
  create({ challenge }: { readonly challenge: string }, deviation: Deviation = {}) {
    const length = Buffer.from([0, this.id.length])
    const authData = Buffer.concat([this.head(0x40, deviation), Buffer.alloc(16), length, this.id, this.publicKey()])
    const object = Buffer.concat([
      Buffer.from([0xa3, 0x63]),
      Buffer.from('fmt'),
      Buffer.from([0x64]),
      Buffer.from('none'),
      Buffer.from([0x67]),
      Buffer.from('attStmt'),
      Buffer.from([0xa0, 0x68]),
      Buffer.from('authData'),
      Buffer.from([0x58, authData.length]),
      authData,
    ])
    const clientDataJSON = this.clientData('webauthn.create', challenge, deviation).toString('base64url')
    return this.named({ clientDataJSON, attestationObject: object.toString('base64url'), transports: ['internal'] })
  }

  /** The answer to options of a server that wants a signature. */
  get({ challenge }: { readonly challenge: string }, deviation: Deviation = {}) {
    this.counter++
    const clientData = this.clientData('webauthn.get', challenge, deviation)
    const authData = this.head(0, { counter: this.counter, ...deviation })
    const signature = sign('sha256', Buffer.concat([authData, sha256(clientData)]), this.keys.privateKey)
    return this.named({
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: authData.toString('base64url'),
      signature: signature.toString('base64url'),
    })
  }

  private named<Response extends object>(response: Response) {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', response }
  }

  private clientData(type: string, challenge: string, deviation: Deviation): Buffer {
    return Buffer.from(
      JSON.stringify({ type: deviation.type ?? type, challenge, origin: deviation.origin ?? this.origin }),
    )
  }

  private head(more: number, { rpId = this.rpId, flags = 5, counter = 0 }: Deviation): Buffer {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter)
    return Buffer.concat([sha256(rpId), Buffer.from([flags | more]), count])
  }

  /** COSE: EC2, ES256, P-256. */
  private publicKey(): Buffer {
    const { x = '', y = '' } = this.keys.publicKey.export({ format: 'jwk' })
    const bytes = (text: string) => Buffer.from(text, 'base64url')
    const before = Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 0x20])
    return Buffer.concat([before, bytes(x), Buffer.from([0x22, 0x58, 0x20]), bytes(y)])
  }
}
