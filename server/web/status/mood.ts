import { t } from '../language/language.js'

/** How the server is, in a colour and in words. */
interface Mood {
  readonly mood: '' | 'good' | 'warn' | 'bad'
  readonly text: string
}

interface Figures {
  value(name: string): number | undefined
}

/** `whole`: the figures of all workers; undefined: none have come yet. */
export function moodOf(isAway: boolean, whole: Figures | undefined): Mood {
  if (isAway) return { mood: 'bad', text: t('status.away') }
  if (!whole) return { mood: '', text: t('status.asking') }
  if (whole.value('parley_postgres_up') === 0) return { mood: 'bad', text: t('status.postgresAway') }
  if (whole.value('parley_redis_up') === 0) return { mood: 'bad', text: t('status.redisAway') }
  const silent = (whole.value('parley_workers') ?? 0) - (whole.value('parley_workers_answered') ?? 0)
  if (silent > 0) return { mood: 'warn', text: t('status.silent', silent) }
  return { mood: 'good', text: t('status.well') }
}
