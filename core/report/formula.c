#include "core/report/formula.h"

#include <stddef.h>
#include <string.h>

#define WILSON  "(p + z^2/2n -+ z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n), z = 1.96"
#define WILSON_ "Wilson, JASA 22 (1927)"
#define SCORES_ "van Rijsbergen, Information Retrieval (1979)"
#define SDT_	"Hautus, BRMIC 27 (1995); Macmillan and Creelman, Detection Theory (2005)"

static const struct formula formulas[] = {
    {"mc", "accuracy", "right / n; x k: the mean of the k runs' right / n", "ReGT, Tables 6 and 18"},
    {"mc", "lo", "a single run: " WILSON "; x k: mean -+ t s / sqrt(k), k - 1 degrees of freedom",
     WILSON_ "; Student, Biometrika 6 (1908); ReGT, Table 18"},
    {"mc", "hi", "a single run: " WILSON "; x k: mean -+ t s / sqrt(k), k - 1 degrees of freedom",
     WILSON_ "; Student, Biometrika 6 (1908); ReGT, Table 18"},
    {NULL, "n", "answers with a verdict under the lens", "qualm(1), THE LENS"},
    {NULL, "right", "answers that are among the admissible classes", "ReGT 2.2: p in L*"},
    {NULL, "excluded", "population - n", "qualm(1), THE LENS"},
    {NULL, "accuracy", "right / n", "ReGT 2.2 and 2.4, with the N policy of the lens"},
    {NULL, "accuracy_b", "right / n, of b", "ReGT 2.2 and 2.4, with the N policy of the lens"},
    {"groups", "lo", "2.5 % and 97.5 % of the differences of resampled pairs",
     "paired bootstrap, Efron and Tibshirani (1993), ch. 13"},
    {"groups", "hi", "2.5 % and 97.5 % of the differences of resampled pairs",
     "paired bootstrap, Efron and Tibshirani (1993), ch. 13"},
    {"groups", "delta", "(improved - regressed) / (samples counted for both)", "paired difference of shares"},
    {"compare", "accuracy_run", "(both right + improved) / n", "ReGT 2.2, on what is counted for both"},
    {"compare", "accuracy_against", "(both right + regressed) / n", "ReGT 2.2, on what is counted for both"},
    {"compare", "lo", "2.5 % and 97.5 % of the differences of resampled pairs, or clusters",
     "paired bootstrap, Efron and Tibshirani (1993), ch. 13"},
    {"compare", "hi", "2.5 % and 97.5 % of the differences of resampled pairs, or clusters",
     "paired bootstrap, Efron and Tibshirani (1993), ch. 13"},
    {"compare", "delta", "(improved - regressed) / n", "paired difference of shares"},
    {"compare", "p_mcnemar", "2 P(X <= min(improved, regressed)), X ~ Binomial(improved + regressed, 1/2), at most 1",
     "exact McNemar test, Psychometrika 12 (1947)"},
    {"compare", "mde", "the difference that McNemar's test at 5 % finds with 80 % power", "Connor, Biometrics 43 (1987)"},
    {"compare", "kappa", "(observed - expected agreement) / (1 - expected)", "Cohen, Educ. Psychol. Meas. 20 (1960)"},
    {"compare", "phi", "(both right x neither - improved x regressed) / sqrt of the product of the margins",
     "phi coefficient, Yule (1912)"},
    {NULL, "regressed", "b right and a wrong", "discordant pairs, McNemar (1947)"},
    {NULL, "improved", "a right and b wrong", "discordant pairs, McNemar (1947)"},
    {NULL, "p", "2 P(X <= min(improved, regressed)), X ~ Binomial(improved + regressed, 1/2), at most 1",
     "exact McNemar test, Psychometrika 12 (1947)"},
    {NULL, "q", "p values of all rows, corrected for their number", "Benjamini and Hochberg, JRSS B 57 (1995)"},
    {NULL, "lo", WILSON, WILSON_},
    {NULL, "hi", WILSON, WILSON_},
    {NULL, "rank", "1 + runs of the same n that are more accurate", "ranks of equal coverage only"},
    {"accuracy", "delta", "accuracy under the lens's layer - accuracy under the original one", "ReGT, Table 3"},
    {NULL, "precision", "hits / (hits + false hits)", SCORES_},
    {NULL, "recall", "hits / (hits + missed)", SCORES_},
    {NULL, "f1", "2 hits / (2 hits + missed + false hits)", SCORES_},
    {NULL, "positive", "answers that are yes / n", "MVEI: positive ratio"},
    {NULL, "signal", "samples whose truth is yes / n", "MVEI"},
    {NULL, "give_up", "(refused + empty) / n", "MVEI: give-up ratio"},
    {NULL, "tpr", "yes where the truth is yes / truth is yes", SDT_},
    {NULL, "tnr", "no where the truth is no / truth is no", SDT_},
    {NULL, "d_prime", "z(H) - z(F), H = (hits + 1/2) / (signal + 1), F alike", SDT_},
    {NULL, "criterion", "-(z(H) + z(F)) / 2", SDT_},
    {"agreement", "phi", "(both right x both wrong - only a x only b) / sqrt of the product of the margins",
     "phi coefficient, Yule (1912); ReGT, Fig. 9"},
    {"agreement", "kappa", "(observed - expected agreement) / (1 - expected)", "Cohen, Educ. Psychol. Meas. 20 (1960)"},
    {"agreement", "spearman", "Pearson's r of average ranks of per-class recall", "Spearman (1904); ReGT, Fig. 9"},
    {"MME-Emotion", "steps", "marks / judged answers", "MME-Emotion, average steps"},
    {"MME-Emotion", "tokens", "tokens / answers that have a number of them", "MME-Emotion, average tokens"},
    {"votes", "kl", "sum of p log2(p / q), 0.01 added to each share", "Kullback and Leibler (1951)"},
    {"votes", "js", "(KL(p, m) + KL(q, m)) / 2, m = (p + q) / 2", "Lin, IEEE Trans. Inf. Theory 37 (1991)"},
    {"votes", "l1", "sum of |p - q|", "total variation, twice"},
    {"votes", "cosine", "p q / (|p| |q|)", "cosine of the two vectors of shares"},
    {"oop", "rate", "oop / answers", "ReGT, Tables 5 and 14"},
};

const struct formula *formula_find(const char *table, const char *column)
{
	for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
		const struct formula *f = &formulas[i];

		if (strcmp(f->column, column) == 0 && (!f->table || strcmp(f->table, table) == 0))
			return f;
	}
	return NULL;
}
