import { type IncomingMessage, integrations } from '../../server/integrations/index.js'

type Texts = Readonly<Record<string, string>>

/** What an integration makes of a delivery; the names of headers are in lower case. */
export function read(
  name: string,
  body: unknown,
  { params = {}, headers = {} }: { readonly params?: Texts; readonly headers?: Texts } = {},
): readonly IncomingMessage[] {
  const integration = integrations.get(name)
  if (!integration) throw new Error(`there is no integration ${name}`)
  return integration.read({
    params: new Map(Object.entries(params)),
    isJson: true,
    body: Buffer.from(JSON.stringify(body) ?? ''),
    json: () => body,
    header: header => headers[header] ?? '',
  })
}
