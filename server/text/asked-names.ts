import type { Linkifier, Names } from './names.js'

/** The names that are values; the others are lookups in the worker's directory, which a thread asks for. */
export type NameValues = Pick<
  Names,
  'origin' | 'emptyTopicName' | 'showsPreviews' | 'showsWebsites' | 'translatesEmoticons' | 'codeLanguage'
>

type Lookup = Exclude<keyof Names, keyof NameValues | 'linkifiers'>

/** A lookup as data: its name and its arguments, as JSON. */
export type Question = string

export const nameValues = ({
  origin,
  emptyTopicName,
  showsPreviews,
  showsWebsites,
  translatesEmoticons,
  codeLanguage,
}: Names): NameValues => ({
  origin,
  emptyTopicName,
  showsPreviews,
  showsWebsites,
  translatesEmoticons,
  codeLanguage,
})

/** Names for a thread: a lookup whose answer is not there yet finds nothing, and its question is added to `asked`. */
export function askedNames(
  values: NameValues,
  linkifiers: readonly Linkifier[],
  answers: ReadonlyMap<Question, unknown>,
  asked: Set<Question>,
): Names {
  const ask = <L extends Lookup>(lookup: L, ...args: Parameters<Names[L]>): ReturnType<Names[L]> => {
    const question = JSON.stringify([lookup, ...args])
    if (!answers.has(question)) asked.add(question)
    return answers.get(question) as ReturnType<Names[L]>
  }
  return {
    ...values,
    linkifiers,
    userById: id => ask('userById', id),
    userByName: name => ask('userByName', name),
    groupByName: name => ask('groupByName', name),
    channelByName: name => ask('channelByName', name),
    newestInTopic: (channelId, topic) => ask('newestInTopic', channelId, topic),
    customEmoji: name => ask('customEmoji', name),
    uploadedFile: path => ask('uploadedFile', path),
    external: url => ask('external', url),
    website: url => ask('website', url),
  }
}

/** What the worker's names answer. */
export function answerTo(names: Names, question: Question): unknown {
  const [lookup, ...args] = JSON.parse(question) as [Lookup, ...unknown[]]
  return (names[lookup] as (...args: unknown[]) => unknown)(...args)
}
