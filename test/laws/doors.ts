import type { Source } from './sources.js'

interface Door {
  /** The only files with this code, beside that which defines it. */
  readonly files: readonly string[]
  readonly code: RegExp
  readonly what: string
}

/** What exists once: a second place would be a second set of rules. */
const doors: readonly Door[] = [
  { files: ['server/build-context.ts'], code: /\bcreateWrite\(|: Ctx = \{/, what: 'builds a context' },
  {
    // The others ask how large a body may be, and pass on the question of `admit`.
    files: ['server/http/admission.ts', 'server/http/body-limit.ts', 'server/http/files/file-caller.ts'],
    code: /\.identify\(keys\)/,
    what: 'admits a caller',
  },
  {
    files: ['server/http/admission.ts', 'server/http/short-polls.ts'],
    code: /\bisOpenTo\(|\.allow\(/,
    what: 'decides who may use an operation',
  },
  {
    // A socket has its caller for longer.
    files: ['server/http/admission.ts', 'server/socket/socket-caller.ts'],
    code: /\bkeys\.current\(/,
    what: 'asks whether credentials are still valid',
  },
  {
    // The second is the first one's statement for a usual message that is alone. The third fills new organizations, before they have workers. The fourth stores messages of an earlier time, with ids below those of users. The last brings messages back that were there.
    files: [
      'server/store/sending/insert-messages.ts',
      'server/store/sending/insert-usual-message.ts',
      'server/store/seeding/seeding-messages.ts',
      'server/store/imports/imported-messages.ts',
      'server/store/messages/archived-messages.ts',
    ],
    code: /\binsert into messages\b/i,
    what: 'inserts messages',
  },
]

/** Places that go around the one way through a door. */
export function goesAround(sources: readonly Source[]): string[] {
  return sources.flatMap(({ path, text }) =>
    text
      .split('\n')
      .flatMap((line, i) =>
        doors
          .filter(
            ({ files, code }) =>
              !files.includes(path) && code.test(line) && !/^\s*(\/\/|\*|\/\*|export function)/.test(line),
          )
          .map(({ what, files }) => `${path}:${i + 1} ${what}, as only ${files.join(' and ')} may`),
      ),
  )
}
