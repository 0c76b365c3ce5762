/**
 * What native libraries read from the environment when their binary is loaded. The supervisor starts its workers with it, so it does not
 * depend on the order of imports; a program that runs a worker's code in its own process must be started with it, too.
 */
export const nativeEnvironment = {
  /**
   * Bytes of a request's head. The default of uWebSockets.js, 4 KiB, would reject a GET whose query has some hundred message ids; 64 KiB hold
   * 5000. The buffer exists only while a head is incomplete.
   */
  UWS_HTTP_MAX_HEADERS_SIZE: '65536',
}
