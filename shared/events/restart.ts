import { defineEvent } from './event.js'

/** The names carry the brand: `{brand}_version`, `{brand}_merge_base`, `{brand}_feature_level`, `server_generation`. */
export const restart = defineEvent<Record<string, string | number>>('restart', {
  doc: 'The server was restarted, maybe as a newer version.',
})
