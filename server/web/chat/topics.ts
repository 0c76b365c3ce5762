import type { Topic } from '../state/chat-state.js'
import { awaitTopics, setTopics } from '../state/topics.js'
import type { Chat } from './chat.js'

/** Fetches the topics of a channel unless the state has them. @throws {RequestError} */
export async function fetchTopics(chat: Chat, channelId: number): Promise<void> {
  while (!chat.state.topics[channelId]) {
    chat.change(state => awaitTopics(state, channelId))
    const answer = await chat.ask('GET', `/users/me/${channelId}/topics`, { allow_empty_topic_name: true })
    chat.change(state => setTopics(state, channelId, answer.topics as Topic[]))
  }
}
