"""Test if two columns of a data frame are independent."""

from sklearn.datasets import load_wine

from kmds_lib import RBF, choose_theta, permutation_test

wines = load_wine(as_frame=True).data
x, y = wines["alcalinity_of_ash"], wines["color_intensity"]
print("correlation", x.corr(y).round(3))

kernels = RBF(choose_theta(x)), RBF(choose_theta(y))  # median heuristic
hsic = permutation_test("hsic", x, y, *kernels, seed=0)
print("HSIC: p =", hsic.p_value)
dcov = permutation_test("distance_covariance", x, y, seed=0)
print("distance covariance: p =", dcov.p_value)
