/* The same tape walked by C: the best this bench knows how to write it, for the ratio to be an honest one.

   The same dice, the same results line for line, three sessions interleaved in lanes of a block, the worth put aside for
   heights and falls, and no comparison at all through a word of dice in which nothing can happen. */

#include <stdint.h>

typedef uint64_t word;
typedef int64_t money;
typedef unsigned __int128 wide;

enum { PLACE_BITS = 26, HAND_BITS = 16, LEAST = 0, CALM_FROM, CALM_BELOW, UP };
#ifndef CHECKED
#define CHECKED 2 /* lanes at once while rows are looked at: three run out of registers */
#endif

enum { ELEVEN = 11, LANES = 96, COLUMNS = 8, PARKED = 0 };
enum { GOES_ON, ROLLS_OVER, SHOOTERS_OVER, STOP_LOSS, STOP_WIN, RUIN, UNBUILT };
enum { SHORT, END, DECISION, ASKS };

#define PLACE ((1ull << PLACE_BITS) - 1)
#define HANDS ((1ll << HAND_BITS) - 1)
#define SEQUENCES 131621703842267136ull /* 36 to the power of 11 */
#define PASS_OVER ((word)(-SEQUENCES) % SEQUENCES)

enum { COST, STAKES, EMPTY, AFTER, LET_RUN, ENDING, REFUND, FACTS = 8 };

typedef struct { money column, before, facts, dice; } Places;
typedef struct { money bankroll, rolls, shooters, at_most, at_least, nearly; } Limits;
typedef struct { word bits; money left; word s[4]; } Stream;
typedef struct { money peak, trough, fall; } Seen;

static inline word turned(word w, int by) { return (w << by) | (w >> (64 - by)); }

static inline word mix(word w) {
    w = (w ^ (w >> 30)) * 0xBF58476D1CE4E5B9ull;
    w = (w ^ (w >> 27)) * 0x94D049BB133111EBull;
    return w ^ (w >> 31);
}

#define STEP(found, a, b, c, d)                                           \
    {                                                                     \
        word e = (c) ^ (a), f = (d) ^ (b);                                \
        found = turned((a) + (d), 23) + (a);                              \
        c = e ^ ((b) << 17);                                              \
        b ^= e;                                                           \
        a ^= f;                                                           \
        d = turned(f, 45);                                                \
    }

static inline word next_word(word s[4]) {
    word found;
    do STEP(found, s[0], s[1], s[2], s[3]) while (found * SEQUENCES < PASS_OVER);
    return found;
}

static inline int draw(Stream *stream) {
    if (stream->left == 0) { stream->bits = next_word(stream->s); stream->left = ELEVEN; }
    wide product = (wide)stream->bits * 36;
    stream->bits = (word)product;
    stream->left--;
    return (int)(product >> 64);
}

static inline int arrive(const money *tape, const Places *at, const Limits *limits, money b, money rack, money rolls,
                         money hands, money *row, money *worth) {
    const money *facts = tape + at->facts + FACTS * b;
    *worth = rack + facts[STAKES];
    *row = PARKED;
    if (rolls >= limits->rolls) return ROLLS_OVER;
    if (hands >= limits->shooters) return SHOOTERS_OVER;
    if (*worth <= limits->at_most) return STOP_LOSS;
    if (*worth >= limits->at_least) return STOP_WIN;
    money after = facts[AFTER], cost = facts[COST];
    if (after < 0) { *row = ASKS * b + DECISION; return UNBUILT; }
    if (rack >= (cost > 0 ? cost : 0)) { *row = after; *worth = rack - cost + tape[after + UP]; return GOES_ON; }
    if (facts[EMPTY]) return RUIN;
    *row = facts[LET_RUN];
    if (*row < 0) { *row = ASKS * b + SHORT; return UNBUILT; }
    return GOES_ON;
}

static inline int play_on(const money *tape, const Places *at, const Limits *limits, word *place, money *worth,
                          money *rolls, money until, Stream *stream, Seen *seen, money *b, money *rack) {
    money nearly = limits->nearly << HAND_BITS, q = *worth;
    word o = *place;
    int cause = GOES_ON;
    while (*rolls < until) {
        if (q > seen->peak) seen->peak = q;
        if (q < seen->trough) seen->trough = q;
        if (seen->peak - q > seen->fall) seen->fall = seen->peak - q;
        word spot = o + tape[at->column + draw(stream)];
        money found = tape[spot];
        ++*rolls;
        q += found >> PLACE_BITS;
        o = found & PLACE;
        if (q < tape[o] || q >= nearly || *rolls >= limits->rolls || (q & HANDS) >= limits->shooters) {
            money hands = q & HANDS, row, now;
            *b = tape[at->before + spot];
            const money *facts = tape + at->facts + FACTS * *b;
            *rack = (q >> HAND_BITS) - (facts[AFTER] < 0 ? facts[STAKES] : tape[o + UP] - facts[COST]);
            cause = arrive(tape, at, limits, *b, *rack, *rolls, hands, &row, &now);
            o = row;
            q = (now << HAND_BITS) + hands;
            if (cause != GOES_ON) break;
        }
    }
    *place = o;
    *worth = q;
    return cause;
}

static inline void finish(const money *tape, const Places *at, int cause, word place, money q, money rolls,
                          Stream *stream, const Seen *seen, money b, money rack, money *out, money count) {
    money worth = q >> HAND_BITS, wanted = cause == UNBUILT ? (money)place : -1;
    if (cause != UNBUILT) {
        const money *facts = tape + at->facts + FACTS * b;
        money row = facts[ENDING];
        worth = rack;
        if (row < 0) {
            wanted = ASKS * b + END;
            cause = UNBUILT;
        } else {
            for (worth += facts[REFUND]; row != PARKED;) {
                money found = tape[row + tape[at->column + draw(stream)]];
                worth += found >> (PLACE_BITS + HAND_BITS);
                row = found & PLACE;
            }
        }
    }
    money peak = seen->peak >> HAND_BITS, trough = seen->trough >> HAND_BITS, fall = (seen->fall + HANDS) >> HAND_BITS;
    if (worth > peak) peak = worth;
    if (worth < trough) trough = worth;
    if (peak - worth > fall) fall = peak - worth;
    money line[COLUMNS] = {worth, rolls, peak, trough, fall, q & HANDS, cause, wanted};
    for (int column = 0; column < COLUMNS; column++) out[column * count] = line[column];
}

/* One throw of a lane; CHECK looks at the least worth of the row it leads to. */
#define TAKE(n)                                                           \
    int l##n = order[k + n];                                              \
    word r##n = bits[l##n], o##n = place[l##n];                           \
    money q##n = worth[l##n], f##n = careful[l##n];

#define THROW(n, CHECK)                                                   \
    {                                                                     \
        aside[j][l##n] = q##n;                                            \
        wide product = (wide)r##n * 36;                                   \
        r##n = (word)product;                                             \
        money found = tape[o##n + column[(word)(product >> 64)]];         \
        q##n += found >> PLACE_BITS;                                      \
        o##n = found & PLACE;                                             \
        if (CHECK) f##n |= q##n - tape[o##n];                             \
    }

#define KEEP(n)                                                           \
    if (f##n >= 0) { place[l##n] = o##n; worth[l##n] = q##n; }            \
    careful[l##n] = f##n;

void walk(const money *tape, const Places *at, money start, const Limits *limits, word seed, const money *sessions,
          money count, money *out) {
    const money *column = tape + at->column;
    money bankroll = limits->bankroll << HAND_BITS, row, begin, words = (limits->rolls + ELEVEN - 1) / ELEVEN;
    money late = limits->shooters - 6, coming = 0, live = 0;
    if (arrive(tape, at, limits, start, limits->bankroll, 0, 0, &row, &begin) != GOES_ON) return;
    begin <<= HAND_BITS;
    word s[4][LANES], bits[LANES + 1], place[LANES + 1] = {0};
    money worth[LANES + 1] = {0}, careful[LANES + 1] = {0}, played[LANES], who[LANES] = {0};
    money peak[LANES] = {0}, trough[LANES] = {0}, fall[LANES] = {0}, aside[ELEVEN][LANES + 1];
    for (int k = 0; k < 4; k++) for (int lane = 0; lane < LANES; lane++) s[k][lane] = 1;
    for (int lane = 0; lane < LANES; lane++) played[lane] = -1;
    for (;;) {
        for (int lane = 0; lane < LANES; lane++)
            if (played[lane] < 0 && coming < count) {
                word first = mix(seed) + (word)sessions[coming] * 0xD1342543DE82EF95ull;
                for (int k = 0; k < 4; k++) s[k][lane] = mix(first + 0x9E3779B97F4A7C15ull * (k + 1));
                who[lane] = coming++;
                played[lane] = fall[lane] = 0;
                place[lane] = row;
                worth[lane] = begin;
                peak[lane] = trough[lane] = bankroll;
                live++;
            }
        if (live == 0) return;
        int again = 0;
        for (int lane = 0; lane < LANES; lane++) {
            STEP(bits[lane], s[0][lane], s[1][lane], s[2][lane], s[3][lane])
            again |= bits[lane] * SEQUENCES < PASS_OVER;
        }
        if (again)
            for (int lane = 0; lane < LANES; lane++)
                while (bits[lane] * SEQUENCES < PASS_OVER)
                    STEP(bits[lane], s[0][lane], s[1][lane], s[2][lane], s[3][lane])
        int order[LANES + 2], calm = 0, other = LANES; /* calm lanes first */
        for (int lane = 0; lane < LANES; lane++) {
            money q = worth[lane];
            int look = (played[lane] == words - 1) | (q >= tape[place[lane] + CALM_BELOW]) | ((q & HANDS) >= late);
            int quiet = look | (q >= tape[place[lane] + CALM_FROM]);
            careful[lane] = -look;
            other--;
            order[calm] = order[other] = lane;
            calm += quiet;
            other += quiet;
        }
        int k = 0;
        for (; k + 3 <= calm; k += 3) {
            TAKE(0) TAKE(1) TAKE(2)
            for (int j = 0; j < ELEVEN; j++) { THROW(0, 0) THROW(1, 0) THROW(2, 0) }
            KEEP(0) KEEP(1) KEEP(2)
        }
        order[LANES] = order[LANES + 1] = LANES; /* a lane that nobody uses */
        for (; k < LANES; k += CHECKED) {
            TAKE(0) TAKE(1)
#if CHECKED == 3
            TAKE(2)
            for (int j = 0; j < ELEVEN; j++) { THROW(0, 1) THROW(1, 1) THROW(2, 1) }
            KEEP(2)
#else
            for (int j = 0; j < ELEVEN; j++) { THROW(0, 1) THROW(1, 1) }
#endif
            KEEP(0) KEEP(1)
        }
        for (int lane = 0; lane < LANES; lane++)
            if (careful[lane] < 0 && played[lane] >= 0) {
                money rolls = played[lane] * ELEVEN, b = 0, rack = 0;
                Stream stream = {bits[lane], ELEVEN, {s[0][lane], s[1][lane], s[2][lane], s[3][lane]}};
                Seen seen = {peak[lane], trough[lane], fall[lane]};
                word o = place[lane];
                money q = worth[lane];
                int cause = play_on(tape, at, limits, &o, &q, &rolls, rolls + ELEVEN, &stream, &seen, &b, &rack);
                if (cause != GOES_ON) {
                    finish(tape, at, cause, o, q, rolls, &stream, &seen, b, rack, out + who[lane], count);
                    o = PARKED;
                    q = 0;
                    played[lane] = -1;
                    live--;
                }
                place[lane] = o;
                worth[lane] = q;
                peak[lane] = seen.peak;
                trough[lane] = seen.trough;
                fall[lane] = seen.fall;
                for (int j = 0; j < ELEVEN; j++) aside[j][lane] = q;
            }
        for (int lane = 0; lane < LANES; lane++) {
            money high = peak[lane], low = trough[lane], deep = fall[lane];
            for (int j = 0; j < ELEVEN; j++) {
                money q = aside[j][lane];
                high = high > q ? high : q;
                low = low < q ? low : q;
                deep = deep > high - q ? deep : high - q;
            }
            peak[lane] = high;
            trough[lane] = low;
            fall[lane] = deep;
        }
        for (int lane = 0; lane < LANES; lane++) played[lane] += played[lane] >= 0;
    }
}
