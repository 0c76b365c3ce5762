import { badRequest } from '../../../shared/errors.js'
import type { Integration } from '../integration.js'

/** Shows what any service sends, to see its form. */
export const json: Integration = {
  name: 'json',
  displayName: 'JSON',
  eventTypes: null,
  setUp: 'Any service that sends an object in JSON; to see what it sends.',
  read(delivery) {
    const body = delivery.json()
    if (typeof body !== 'object' || body === null || Array.isArray(body)) throw badRequest('An object is expected.')
    return [{ topic: 'JSON', content: `\`\`\`json\n${ascii(JSON.stringify(body, null, 2))}\n\`\`\`` }]
  },
}

const ascii = (text: string): string =>
  text.replace(/[\u007f-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
