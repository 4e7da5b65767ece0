// Values for the live system.
region = "eu-west-1"
disks  = [20, 40]
