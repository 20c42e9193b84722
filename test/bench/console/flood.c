/*
 * A game server that prints numbered, coloured lines of exactly 100 bytes, including the CR that the terminal adds. Commands on its console:
 * `go <lines>` prints as fast as the terminal takes them; `pace <lines> <lines per second>` prints at an even pace, each line with the time
 * of day in microseconds; `stop` ends it. Started as `flood now <lines>`, it floods at once and ends.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LINE_BYTES 99 /* the terminal turns LF into CR LF */
#define BLOCK_LINES 640

static void flood(long lines) {
  static char block[BLOCK_LINES * LINE_BYTES + 1];
  for (long first = 1; first <= lines; first += BLOCK_LINES) {
    long count = lines - first + 1 < BLOCK_LINES ? lines - first + 1 : BLOCK_LINES;
    char *to = block;
    for (long n = first; n < first + count; n++)
      to += sprintf(to, "\x1b[33m[12:34:56] [Server thread/INFO]: \x1b[0mline %08ld of a flood that it prints \x1b[32mok\x1b[0m ....\n", n);
    for (char *from = block; from < to;) {
      ssize_t written = write(1, from, to - from);
      if (written < 0) exit(1);
      from += written;
    }
  }
}

static long long microseconds(void) {
  struct timespec time;
  clock_gettime(CLOCK_REALTIME, &time);
  return time.tv_sec * 1000000LL + time.tv_nsec / 1000;
}

/* More than 2,000 lines per second are printed in blocks of 10 ms, because shorter sleeps are not reliable. */
static void pace(long lines, long per_second) {
  long block = per_second > 2000 ? per_second / 100 : 1;
  long long start = microseconds();
  for (long n = 1; n <= lines;) {
    long long due = start + (n - 1) * 1000000LL / per_second;
    long long wait = due - microseconds();
    if (wait > 0) usleep(wait);
    for (long end = n + block; n < end && n <= lines; n++)
      printf("\x1b[33m[12:34:56] [Server thread/INFO]: \x1b[0mline %08ld at %016lld \x1b[32mok\x1b[0m ..........\n", n, microseconds());
    fflush(stdout);
  }
}

int main(int argc, char **argv) {
  char word[256];
  if (argc == 3) {
    flood(atol(argv[2]));
    return 0;
  }
  printf("Done (0.001s)! For help, type \"help\"\n");
  fflush(stdout);
  while (fgets(word, sizeof word, stdin)) {
    if (strncmp(word, "go ", 3) == 0) flood(atol(word + 3));
    else if (strncmp(word, "pace ", 5) == 0) {
      char *rest;
      long lines = strtol(word + 5, &rest, 10);
      pace(lines, atol(rest));
    } else if (strncmp(word, "stop", 4) == 0) return 0;
  }
  return 0;
}
